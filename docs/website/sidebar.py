"""The sidebar, from the map: captions, topics that unfold, and pages."""

from collections.abc import Iterator

from docs.website.map import Topic

PROJECT = ("project/changelog", "project/contributing", "project/security")
EVERYTHING = ("All pages </map>", "Index of names <genindex>")
FOLDED = "Decisions"
"""A section with too many pages for the sidebar; it has a page of its own under the project."""


def write_topics(topics: list[Topic]) -> Iterator[tuple[str, str]]:
    """Yield the pages that list a topic's pages: the name and the text of each."""
    for topic in topics:
        if _has_page(topic):
            names = list(map(_name_page, topic.pages))
            text = f"# {topic.title}\n\n{topic.text}\n{_write_tree(names)}"
            yield _name_topic(topic), text


def write_contents(topics: list[Topic]) -> str:
    """Return the hidden table of contents of the whole site, which the sidebar shows."""
    first, *others = topics
    start = [*map(_name_page, first.pages), *EVERYTHING]
    folded = [_name_topic(topic) for topic in others if topic.title == FOLDED]
    trees = {topic.title: _list_entries(topic, topics) for topic in others if topic.level == 2}
    trees = {"Start": start, **trees, "Project": [*folded, *PROJECT]}
    return "".join(_write_tree(names, title) for title, names in trees.items() if title != FOLDED)


def _list_entries(section: Topic, topics: list[Topic]) -> list[str]:
    """Return the pages of a section and of its topics, or the topics' own pages."""
    entries = list(map(_name_page, section.pages))
    for topic in topics[topics.index(section) + 1 :]:
        if topic.level <= section.level:
            break
        entries += [_name_topic(topic)] if _has_page(topic) else map(_name_page, topic.pages)
    return entries


def _has_page(topic: Topic) -> bool:
    return topic.title == FOLDED or (topic.level == 3 and len(topic.pages) > 1)


def _name_topic(topic: Topic) -> str:
    return f"topics/{topic.slug}"


def _name_page(path: str) -> str:
    return path.rpartition(".")[0]


def _write_tree(names: list[str], caption: str = "") -> str:
    head = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else [])]
    entries = [name if "<" in name else f"/{name}" for name in names]
    return "\n".join(["", *head, "", *entries, "```", ""])
