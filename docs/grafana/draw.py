#!/usr/bin/env python3
"""Draws the dashboard's panels as SVG from what its own queries answer on a Prometheus that has scraped a real run.

usage: draw.py <dashboard.json> <prometheus address> <seconds to look back> <out.svg>
Needs nothing but Python 3. It is no Grafana: only numbers and lines, so that the page shows what there is to see.
"""
import html
import json
import sys
import time
import urllib.parse
import urllib.request

COLOURS = ["#5794f2", "#73bf69", "#ff9830", "#f2495c", "#b877d9", "#fade2a", "#8ab8ff", "#96d98d"]
COLUMN, LINE, GAP = 42, 30, 8


def ask(prometheus, expr, seconds, step):
    expr = expr.replace("$__rate_interval", "30s").replace("$application", ".*")
    end = time.time()
    query = urllib.parse.urlencode({"query": expr, "start": end - seconds, "end": end, "step": step})
    with urllib.request.urlopen(prometheus + "/api/v1/query_range?" + query) as answer:
        return json.load(answer)["data"]["result"], end


def legend(pattern, labels):
    for name, value in labels.items():
        pattern = pattern.replace("{{" + name + "}}", value)
    return pattern


def shown(value, unit):
    if unit == "s":
        return "%.0f ms" % (value * 1000) if value < 1 else "%.1f s" % value
    if unit == "ops":
        return "%.2g/s" % value if value < 10 else "%.0f/s" % value
    return "%g" % round(value, 1)


def text(x, y, content, size=11, colour="#9fa7b3", anchor="start", weight="normal"):
    return ('<text x="%.1f" y="%.1f" font-size="%d" fill="%s" text-anchor="%s" font-weight="%s">%s</text>'
            % (x, y, size, colour, anchor, weight, html.escape(content)))


def panel(spec, series, end, seconds):
    at = spec["gridPos"]
    x, y, w, h = at["x"] * COLUMN + GAP, at["y"] * LINE + GAP + 26, at["w"] * COLUMN - GAP, at["h"] * LINE - GAP
    unit = spec["fieldConfig"]["defaults"].get("unit", "none")
    out = ['<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="#181b1f" stroke="#2c3235"/>' % (x, y, w, h),
           text(x + 10, y + 18, spec["title"], 12, "#d8d9da", weight="bold")]
    if spec["type"] == "stat":
        last = series[0][1][-1][1] if series else None
        colour = "#9fa7b3"
        for step in spec["fieldConfig"]["defaults"]["thresholds"]["steps"]:
            if last is not None and (step["value"] is None or last >= step["value"]):
                colour = {"green": "#73bf69", "orange": "#ff9830", "red": "#f2495c"}[step["color"]]
        out.append(text(x + w / 2, y + h / 2 + 20, "-" if last is None else shown(last, unit), 30, colour, "middle", "bold"))
        return out
    left, top, width, height = x + 52, y + 30, w - 64, h - 76
    most = max([v for _, points in series for _, v in points] + [0]) or 1
    for part in range(3):
        level = top + height - height * part / 2
        out.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#2c3235"/>' % (left, level, left + width, level))
        out.append(text(left - 5, level + 4, shown(most * part / 2, unit), 10, anchor="end"))
    for part in range(4):
        out.append(text(left + width * part / 3, top + height + 14, "%+d s" % (-seconds + seconds * part / 3) if part < 3 else "now",
                        10, anchor="middle"))
    lx, ly = x + 10, y + h - 20
    for i, (name, points) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        path, before = [], None
        for at_time, value in points:
            px = left + width * (1 - (end - at_time) / seconds)
            py = top + height * (1 - value / most)
            apart = before is None or at_time - before > 3 * STEP
            path.append("%s%.1f %.1f" % ("M" if apart else "L", px, py))
            before = at_time
        out.append('<path d="%s" fill="none" stroke="%s" stroke-width="1.6"/>' % (" ".join(path), colour))
        if lx + 14 + 5.6 * len(name) > x + w:
            lx, ly = x + 10, ly + 13
        if ly < y + h:
            out.append('<rect x="%.1f" y="%.1f" width="9" height="3" fill="%s"/>' % (lx, ly - 4, colour))
            out.append(text(lx + 13, ly, name, 10))
        lx += 24 + 5.6 * len(name)
    return out


def draw(dashboard, prometheus, seconds):
    body, bottom = [], 0
    for spec in dashboard["panels"]:
        series = []
        for target in spec["targets"]:
            answers, end = ask(prometheus, target["expr"], seconds, STEP)
            for answer in answers:
                points = [(float(t), float(v)) for t, v in answer["values"] if v not in ("NaN", "+Inf")]
                if points:
                    series.append((legend(target["legendFormat"], answer["metric"]), points))
        body += panel(spec, series, end, seconds)
        bottom = max(bottom, (spec["gridPos"]["y"] + spec["gridPos"]["h"]) * LINE)
    width, height = 24 * COLUMN + GAP, bottom + 40
    return ("\n".join(
        ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">' % (width, height),
         '<rect width="100%" height="100%" fill="#111217"/>',
         text(GAP + 2, 22, "Outboxed: drawn by docs/grafana/draw.py from the dashboard's own queries, not a screenshot of Grafana", 12)]
        + body + ["</svg>"]) + "\n")


if __name__ == "__main__":
    source, address, back, target_file = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    STEP = max(1, back // 180)
    with open(source, encoding="utf-8") as file:
        drawn = draw(json.load(file), address, back)
    with open(target_file, "w", encoding="utf-8") as file:
        file.write(drawn)
