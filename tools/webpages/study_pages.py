"""The reference of studies, split by task: docs/study.md is one long page in the project, and many short ones on the site."""
import re
import subprocess

# Sections of docs/study.md that get a page of their own: heading, page below docs/study/.
PAGES = {
    "Identification": "identify-mdk",
    "Parameters of equations": "equations",
    "Mechanisms": "mechanisms",
    "Monte Carlo": "monte-carlo",
}
# Pages of keys: what `alembert keys --markdown` puts behind the name of a table, and the title.
KINDS = {
    "study": "The whole study",
    "matrices": "Linear systems: M, D, K",
    "equations": "Equations",
    "acceleration": "One degree of freedom from acceleration",
    "mechanisms": "Mechanisms",
    "structures": "Structures",
    "monte-carlo": "Monte Carlo",
}
CODE = re.compile(r"^```.*?^```$", re.M | re.S)
OF_MECHANISMS = ("mechanism", "observe", "data.sensors", "data.truth")


def sections(text):
    """Head of a page, then (heading, text) of each section of second level, code blocks whole."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    marked = "".join(part if place % 2 == 0 else part.replace("\n## ", "\n\0## ") for place, part in enumerate(parts))
    head, *rest = re.split(r"^## ", marked, flags=re.M)
    restore = lambda part: part.replace("\0", "")  # noqa: E731
    return restore(head), [tuple(map(restore, one.split("\n", 1))) for one in rest]


def slug(heading):
    """The anchor of a heading, as repositories and the site make it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip()
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def anchors(text):
    """Anchors of all headings of a text."""
    return {slug(heading) for heading in re.findall(r"^#{2,6} +(.*)$", CODE.sub("", text), re.M)}


def raised(text):
    """A text whose headings, but not the comments in its code, are one level higher."""
    parts = re.split(CODE, text)
    codes = CODE.findall(text)
    higher = [re.sub(r"^#(#+ )", r"\1", part, flags=re.M) for part in parts]
    return "".join(part + code for part, code in zip(higher, [*codes, ""]))


def moved(links, page):
    """The text of links in a page below docs/study/: one folder deeper."""
    def change(found):
        target = found[2]
        if re.match(r"[a-z]+:", target):
            return found[0]
        return f"{found[1]}({page}{target})" if target.startswith("#") else f"{found[1]}(../{target})"
    return re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", change, links)


def split_study(pages, write):
    """Cuts docs/study.md of the site; returns where its anchors are now: anchor -> page, from docs/."""
    page = pages / "docs" / "study.md"
    head, parts = sections(page.read_text(encoding="utf-8"))
    places, kept, menu = {}, head, []
    for heading, text in parts:
        if heading == "All keys":
            continue  # made from the tool, see split_keys
        if heading not in PAGES:
            kept += f"## {heading}\n{text}"
            continue
        target = f"study/{PAGES[heading]}.md"
        for anchor in anchors(f"## {heading}\n{text}"):
            places[anchor] = target
        menu.append((heading, target, f"# {heading}\n{raised(text)}"))
    kept += "## By task\n\n" + "".join(f"- [{heading}]({target})\n" for heading, target, _ in menu)
    kept += "- [All keys](keys/README.md), by kind of study\n"
    write(page, redirect(kept, "", places))
    for _, target, text in menu:
        write(pages / "docs" / target, redirect(moved(text, "../study.md"), "../", places))
    return places


def redirect(text, up, places):
    """Links to study.md#anchor, or in study.md to #anchor, lead to the page where the anchor is."""
    def change(found):
        place = places.get(found[1])
        return f"]({up}{place}#{found[1]})" if place else found[0]
    text = re.sub(r"\]\((?:\.\./)?study\.md#([\w-]+)\)", change, text)
    return re.sub(r"\]\(#([\w-]+)\)", change, text) if not up else text


def redirect_all(pages, places):
    """The same in all other pages."""
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        if "study.md#" not in text:
            continue
        changed = re.sub(r"\]\(((?:[\w./-]*/)?)study\.md#([\w-]+)\)",
                         lambda found: f"]({found[1]}{places[found[2]]}#{found[2]})" if found[2] in places else found[0], text)
        page.write_text(changed, encoding="utf-8")


def kind_of(heading):
    """Kind of study that a table belongs to."""
    name, _, kind = heading.replace("`", "").partition(" for ")
    table = name.strip("[] ")
    if kind:
        return kind
    if table in ("study", "monte-carlo") or table.startswith("monte-carlo."):
        return table.partition(".")[0]
    return "mechanisms" if table.startswith(OF_MECHANISMS) else "matrices"


def split_keys(tool, pages, write):
    """A page of keys for each kind of study, from what the tool prints."""
    printed = subprocess.run([tool, "keys", "--markdown"], capture_output=True, text=True, check=True).stdout
    groups = {}
    for section in re.split(r"^(?=### `)", printed, flags=re.M)[1:]:
        groups.setdefault(kind_of(section[4:section.index("\n")]), []).append(section[1:])
    rows = ""
    for kind, tables in groups.items():
        title = KINDS.get(kind, kind.capitalize())
        write(pages / "docs" / "keys" / f"{kind}.md", f"# Keys: {title}\n\n" + "".join(tables))
        rows += f"| [{title}]({kind}.md) | " + ", ".join(re.findall(r"^## (`.*?`)", "".join(tables), re.M)) + " |\n"
    write(pages / "docs" / "keys" / "README.md",
          "# Keys of a study\n\n`alembert keys TABLE` prints the same on the terminal.\n\n| kind of study | tables |\n|---|---|\n" + rows)
    return [f"docs/keys/{kind}.md" for kind in groups]
