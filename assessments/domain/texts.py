"""One text in the two languages every matrix must carry."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """The same statement in English and in Simplified Chinese; neither is a fallback for the other."""

    en: str
    zh: str

    def in_language(self, lang: str) -> str:
        """The text for a language code such as `en`, `zh-hans` or `zh_CN`; others read English."""
        return self.zh if lang.lower().startswith("zh") else self.en
