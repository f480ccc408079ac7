"""Simplified Chinese words and frames, entry by entry those of :mod:`dedup.sample.grammar_en`, so that the
same choices render as a translation of the same article."""

from __future__ import annotations

from dedup.sample.grammar import Grammar, entries

WORDS = {
    "place": entries(
        """
        诺维尔 / 泰辛 / 布兰码头 / 奥斯特里 / 凯尔口 / 林德港 / 马罗比 / 奎尔渡 / 桑德里克 / 维尔登 /
        韦斯特岛 / 雅尔坡 / 德雷谷 / 芬沃特 / 加罗 / 哈姆斯托 / 因弗莱德 / 东维克 / 科林 / 佩尔桥 /
        罗思湖 / 斯塔夫利 / 荆棘埠 / 乌尔弗谷
        """
    ),
    "given": entries(
        """
        玛尔塔 / 约纳斯 / 埃尔茜 / 帕维尔 / 英格丽 / 托马什 / 诺埃尔 / 费利克斯 / 阿尔玛 / 布鲁诺 /
        克拉拉 / 达里奥 / 伊迪丝 / 古斯塔夫 / 希尔德 / 伊沃 / 尤迪特 / 卡西米尔 / 洛特 / 米兰
        """
    ),
    "family": entries(
        """
        凯林 / 瑟尔兰 / 勃兰特 / 维尔塔宁 / 杜普雷 / 马尔凯蒂 / 诺沃特尼 / 林奎斯特 / 哈弗坎普 /
        索莱尔 / 彼得罗夫 / 坦纳 / 乌尔曼 / 韦尔 / 策勒 / 阿伯纳西 / 科温 / 方丹 / 格里夫斯 / 霍洛韦
        """
    ),
    "kind": entries(
        """
        港务处 / 水务局 / 市立图书馆 / 果农合作社 / 夜校 / 气象站 / 电车公司 / 工具博物馆 / 种子库 /
        划艇俱乐部 / 区医院 / 道路勘测队 / 鱼市 / 剧场工坊 / 无线电协会 / 林业站
        """
    ),
    "role": entries(
        """
        总工程师 / 园艺主管 / 夜班门卫 / 记账员 / 退休教师 / 船上厨师 / 守桥人 / 绘图员 / 年轻学徒 /
        值班护士 / 舞台工人 / 副镇长
        """
    ),
    "thing": entries(
        """
        木桥 / 渡轮时刻表 / 苹果园 / 雨量计 / 阅览室 / 晚间课程 / 铜管 / 电车候车亭 / 种子抽屉 / 划艇 /
        病床 / 里程碑 / 鲱鱼箱 / 舞台灯 / 短波收音机 / 松树苗 / 街道图 / 风力水泵 / 蜂箱 / 夜班公交 /
        石墙 / 钟楼 / 公共浴室 / 粮袋
        """
    ),
    "act": entries(
        """
        修好 / 清点 / 重新粉刷 / 测量 / 投保 / 编目 / 拍卖 / 继承 / 拍照 / 迁走 / 检查 / 借走 / 加倍 /
        标绘 / 更换 / 清洗
        """
    ),
    "spot": entries(
        """
        旧磨坊后面 / 北运河沿岸 / 铁路货场旁边 / 城堡山脚下 / 盐场附近 / 荒原边上 / 市政厅对面 /
        上游船闸下方 / 东码头上 / 旧兵营里 / 两座教堂之间 / 下市场周围 / 电车终点站外 / 被淹草地上方 /
        城墙外面 / 玻璃厂隔壁
        """
    ),
    "when": entries(
        """
        在初霜之前 / 在春假期间 / 在秋季集市以后 / 在一个无风的夜里 / 在短短一周之内 /
        在整个干旱的夏天 / 在午夜刚过的时候 / 在学期结束时 / 在两场暴风雨之间 / 在白昼最长的那天 /
        在大桥封闭期间 / 在选举之前 / 在淡季里 / 在三个周末里 / 在收割前夕 / 在新旧年之交
        """
    ),
    "reason": entries(
        """
        因为冬季储备不足 / 因为旧合同已经失效 / 因为地面仍然潮湿 / 因为两家供货商退出 /
        因为没有人保管钥匙 / 因为木材价格下跌 / 因为游客不断询问 / 因为档案室受潮 /
        因为第二台水泵出了故障 / 因为日程安排过紧 / 因为河水提早上涨 / 因为彩票收入支付了费用 /
        因为一位邻居提出投诉 / 因为油漆总是不干 / 因为人口普查有此要求 / 因为屋顶快要塌了
        """
    ),
    "effect": entries(
        """
        这使等候时间缩短了一半 / 这让会计们大吃一惊 / 这使旁边的小街一片漆黑 / 这让老会员十分高兴 /
        这使燕子又飞了回来 / 这节省了整整一天的工作 / 这是谁也没有要求过的 / 这是保险公司拒绝接受的 /
        这件事上了晚报 / 这使地窖保持干燥 / 这打开了第二个入口 / 这使队伍长了一倍 /
        这结束了一场长久的争吵 / 这是孩子们最喜欢的 / 这使旅馆全部住满 / 这需要一份新的许可证
        """
    ),
    "trait": entries(
        """
        谨慎 / 慷慨 / 务实 / 固执 / 朴素 / 匆忙 / 周密 / 昂贵 / 安静 / 受欢迎 / 可疑 / 简单 / 大胆 /
        熟悉 / 耐心 / 出色
        """
    ),
    "goods": entries(
        """
        李子酱 / 亚麻布 / 屋面石板 / 鳕鱼干 / 黑麦粉 / 灯油 / 蜂蜡 / 绳索 / 平板玻璃 / 苹果酒 / 羊毛 /
        桦木焦油 / 黄铜螺丝 / 信纸 / 海盐 / 陶瓦
        """
    ),
}

OPENERS = (
    "",
    "",
    "",
    "在{place2}，",
    "据{year}年{month}月{day}日的一份记录，",
    "到{year}年年底，",
    "令大家松一口气的是，",
    "不顾一切劝告，",
    "对{role2}来说，",
    "和{year2}年一样，",
    "从纸面上看，",
    "这已经不是第一次了，",
    "{when2}，",
    "与{place2}相比，",
    "实际上，",
    "以{num3}票赞成，",
)

CORES = (
    "{place}{kind}{act}了{spot}的{num}件{thing}",
    "{role}{given}·{family}称这项计划“{trait}而且{trait2}”",
    "{num2}件{thing}当中约有{num}件已由{kind}{act}",
    "{thing}所占的比例上升到百分之{pct}",
    "{kind}没有人说得清是谁{act}了{spot}的{thing}",
    "{given}·{family}提出的一个{trait}的建议要把{thing}搬到{place3}",
    "{num}箱{goods}换来了{num2}捆{goods2}",
    "{role}把{thing}每三件{act}一件，并留下了{trait}的记录",
    "参观者付{num}克朗去看{spot}的{thing}",
    "{place3}的{kind}借给{kind2}{num}件{thing}",
    "{given}·{family}还记得{year3}年那个{trait}的冬天",
    "{goods}的预算减少了百分之{pct}，只剩{num}克朗",
    "一张{year3}年的{trait}的地图上，{spot}标着{num}件{thing}",
    "有{num}人在{given}·{family}关于{thing}的信上签了名",
    "{spot}的{thing}上一次被{act}是在{year3}年",
    "如今每一件{thing}都有编号，从{num}号到{num2}号",
    "{role}和{role3}在{goods}的价格上意见不一",
    "{given}·{family}主持的委员会{act}了{place3}的{thing}",
    "大雨使运往{kind}的{goods}推迟了{pct}个小时",
    "新的{thing}很{trait}，可是百分之{pct}的会员更喜欢旧的",
    "{place3}与{place4}分担{num}件{thing}的费用",
    "最老的{thing}建于{year3}年，就在{spot}",
    "{given}·{family}在{spot}卖了{pct}年的{goods}",
    "{kind2}用一份{num}字的{trait}的声明作了答复",
    "有三件{thing}被同一位{role}{act}了两次",
    "审计发现为{goods}预留了{num}克朗",
    "从{place3}到{place4}那条{trait}的路线要经过{num}件{thing}",
    "{given}·{family}的学生在{pct}度下测量了{goods}和{goods2}",
    "{kind}预计将有{num}位客人和{pct}车{goods}",
    "要是没有{role}，这些{thing}早就被{act}了",
    "全县每一家{kind}都要在{pct}天之内把{thing}{act}",
    "来自{place3}的一位{role}在{spot}发现了{goods}",
    "{kind2}把那本{trait}的{thing}年鉴印了{num}册",
    "{given}·{family}留给{kind}{num}克朗和一本{trait}的日记",
    "关于{thing}的表决结果是{num}比{num2}",
    "{role3}把{goods}和{goods2}存放在{spot}",
)

TAILS = (
    "",
    "",
    "",
    "，{reason}",
    "，{reason}",
    "，{effect}",
    "，{effect}",
    "，时间是{when}",
    "，事情发生{when}",
    "，那是{when}，{effect}",
    "，{reason}，{role4}也表示同意",
    "；其余的运往{place5}",
    "，其中百分之{pct2}是{goods3}",
    "，尽管{given2}·{family2}原来希望有{num4}",
    "，{effect}，{kind3}这样写道",
    "，那是{year4}年，{reason}",
)

TITLES = (
    "{place}{kind}把{num}件{thing}{act}",
    "{spot}的{num}件{thing}：{given}·{family}有何发现",
    "{trait}的{thing}计划使{place}意见分歧",
    "{place}{kind}为什么需要{goods}",
    "{given}·{family}与{place}的{thing}",
    "{place}{kind}的{thing}增加百分之{pct}",
)

CHINESE = Grammar("zh", "", OPENERS, CORES, TAILS, TITLES, "。", WORDS)
