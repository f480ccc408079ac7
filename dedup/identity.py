"""One row a page: of rows that carry the same page_id only the best stays a page."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


def one_row_each(signed: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Signature → signatures with distinct page_id, and the other rows as faults ``duplicate_page_id``.

    The row that stays is the first in keep order, then by content, so the choice never depends on how rows lie
    in files. No page is lost by it: its id goes on as a page, and the rows set aside are counted.
    """
    repeated = signed.groupBy("page_id").agg(F.count("*").alias("rows")).where("rows > 1")
    if not repeated.limit(1).count():
        return signed, signed.limit(0).withColumn("stage", F.lit("account"))
    place = Window.partitionBy("page_id").orderBy("keep", "content_digest", "url", "source")
    ranked = signed.join(repeated, "page_id").withColumn("place", F.row_number().over(place))
    best = ranked.where("place = 1").select(*signed.columns)
    others = ranked.where("place > 1").withColumns(
        {
            "stage": F.lit("account"),
            "reason": F.lit("duplicate_page_id"),
            "detail": F.concat(F.col("rows"), F.lit(" rows carry this page_id; the best in keep order stays a page")),
        }
    )
    single = signed.join(repeated, "page_id", "left_anti")
    return single.unionByName(best), others
