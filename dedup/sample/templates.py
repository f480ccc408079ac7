"""One page template a site. They differ in tags on purpose; only the two content comments are in all of them,
so that damage can be done inside the article."""

from __future__ import annotations

from string import Template

CONTENT, CONTENT_END = "<!-- content -->", "<!-- /content -->"

SECTIONS = Template("""<!DOCTYPE html>
<html lang="$lang">
<head>
<meta charset="$charset">
<title>$title - $site</title>
<style>nav li { display: inline } aside { float: right }</style>
<script>var page = "$tracker"; function seen() { return page; }</script>
</head>
<body>
<header><div class="brand">$site</div><nav><ul>
$menu
</ul></nav></header>
<main><article>
<h1>$title</h1>
<p class="date"><time>$published $date</time></p>
<!-- content -->
$body<!-- /content -->
</article></main>
<aside><h2>$latest_head</h2><ul>
$latest</ul><p class="ad">$ad</p></aside>
<footer><p>$footer</p></footer>
</body>
</html>
""")

TABLES = Template("""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=$charset">
<title>$site: $title</title>
</head>
<body bgcolor="#ffffff" link="#003366">
<table width="760" cellspacing="0" cellpadding="4" border="0">
<tr>$menu</tr>
<tr><td colspan="4" valign="top">
<table width="100%"><tr><td>
<h2><font face="serif">$title</font></h2>
<!-- content -->
$body<!-- /content -->
</td></tr></table>
</td><td bgcolor="#eeeeee" valign="top"><small>$ad</small><br><i>$date</i></td></tr>
<tr><td colspan="5" align="center"><hr>$footer</td></tr>
</table>
<script src="/count.js?id=$tracker"></script>
</body>
</html>
""")

BREAKS = Template("""<html>
<head><title>$title</title>
<meta http-equiv="content-type" content="text/html; charset=$charset">
</head>
<body>
<center>$menu</center>
<hr>
<b><big>$title</big></b><br><br>
<!-- content -->
$body<!-- /content -->
<i>$published $date</i>
<hr>
<center>$ad<br>$footer</center>
<!-- served by $tracker -->
</body>
</html>
""")

NESTED = Template("""<!doctype html>
<html lang="$lang"><head><meta name="viewport" content="width=device-width"><meta charset="$charset">
<title>$title | $site</title></head>
<body class="dark"><div id="app"><div class="wrap"><div class="bar">$menu</div>
<div class="grid"><div class="col"><div class="head"><h1>$title</h1><div class="meta">$date</div></div>
<div class="story">
<!-- content -->
$body<!-- /content -->
</div></div>
<div class="col side"><div class="box"><div class="t">$latest_head</div>
$latest</div></div></div>
<div class="foot"><div><span>$footer</span></div></div></div></div>
<script type="application/json">{"id": "$tracker", "ads": ["$ad"]}</script>
</body></html>
""")

LISTS = Template("""<!DOCTYPE html>
<html lang="$lang">
<head>
<title>$site / $title</title>
<meta charset="$charset">
</head>
<body>
<dl class="menu"><dt>$site</dt>$menu</dl>
<section>
<h3>$title</h3>
<ol class="story">
<!-- content -->
$body<!-- /content -->
</ol>
<p><em>$published $date</em></p>
</section>
<address>$footer</address>
<div hidden>$tracker</div>
</body>
</html>
""")

ROWS = Template("""<HTML>
<HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=$charset">
<TITLE>$title</TITLE>
</HEAD>
<BODY>
<TABLE BORDER=1><TR>$menu</TR></TABLE>
<TABLE>
<CAPTION>$title</CAPTION>
<TBODY>
<!-- content -->
$body<!-- /content -->
</TBODY>
<TFOOT><TR><TD COLSPAN=2>$footer</TD></TR></TFOOT>
</TABLE>
<NOSCRIPT><IMG SRC="/p.gif?$tracker"></NOSCRIPT>
</BODY>
</HTML>
""")

FIELDS = Template("""<!DOCTYPE html>
<html lang="$lang">
<head>
<meta charset="$charset"><title>$title - $site</title>
<style>.banner { color: red }</style>
</head>
<body>
<form action="/find"><select name="to">$menu</select><input type="hidden" name="t" value="$tracker"></form>
<fieldset><legend>$title</legend>
<!-- content -->
$body<!-- /content -->
</fieldset>
<p class="banner">$ad</p>
<p>$footer</p>
</body>
</html>
""")

POSTS = Template("""<?xml version="1.0" encoding="$charset"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="$lang">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=$charset" />
<title>$title :: $site</title>
</head>
<body>
<div class="tabs">$menu</div>
<div class="thread">
<h2>$title</h2>
<div class="post" id="post-$tracker">
<!-- content -->
$body<!-- /content -->
</div>
<div class="stamp">$date</div>
</div>
<div class="more">
$latest</div>
<div class="base">$footer<br />$ad</div>
</body>
</html>
""")
