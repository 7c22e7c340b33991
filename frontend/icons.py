"""The product's icons: paths on a 16 by 16 grid, drawn by us, stroked with the current colour."""

from __future__ import annotations

ICONS: dict[str, str] = {
    "activity": "M1.5 8h3l2-5 3.5 10 2-5h2.5",
    "alert": "M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.6v.1",
    "archive": "M2 3h12v3H2zM3 6v7h10V6M6.5 9h3",
    "arrow-down": "M8 3v10M4 9l4 4 4-4",
    "arrow-left": "M13 8H3M7 4 3 8l4 4",
    "arrow-right": "M3 8h10M9 4l4 4-4 4",
    "arrow-up": "M8 13V3M4 7l4-4 4 4",
    "auto": "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 2v12M8 5l4-1.4M8 8h6M8 11l4 1.4",
    "check": "M3 8.5 6.5 12 13 4.5",
    "chevron-down": "M4 6l4 4 4-4",
    "chevron-right": "M6 4l4 4-4 4",
    "clock": "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 4.8V8l2.2 1.6",
    "cluster": "M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.8v.1M5 11.2v.1M8 4.8h3M8 11.2h3",
    "compare": "M5 2.5v11M11 2.5v11M2.8 5.5h4.4M8.8 10.5h4.4M2.8 11h4.4M8.8 5h4.4",
    "copy": "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    "cross": "M4 4l8 8M12 4l-8 8",
    "download": "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
    "edit": "M10.5 3l2.5 2.5-7.2 7.2-3.1.6.6-3.1zM9 4.5 11.5 7",
    "evidence": "M9 2H4v12h8V5zM9 2v3h3M6 9l1.5 1.5L10.2 7.8",
    "external": "M6.5 3H3v10h10V9.5M9 3h4v4M13 3 7.5 8.5",
    "eye": ("M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 1 0 0-4z"),
    "filter": "M2 3.5h12M4.5 8h7M6.8 12.5h2.4",
    "flag": "M3.5 14V2.5M3.5 3h8.5l-2 3 2 3H3.5",
    "globe": "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM2 8h12M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12",
    "help": ("M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM6.2 6.3a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2M8 11.2v.1"),
    "home": "M2.5 7.5 8 2.8l5.5 4.7M4 6.5v7h8v-7M6.8 13.5v-3.2h2.4v3.2",
    "info": "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 7.4v3.6M8 4.9v.1",
    "keyboard": "M1.5 4h13v8h-13zM4 6.6v.1M6.7 6.6v.1M9.3 6.6v.1M12 6.6v.1M4.5 9.4h7",
    "link": (
        "M6.8 9.2a2.4 2.4 0 0 0 3.4 0l2.2-2.2A2.4 2.4 0 0 0 9 3.6l-.9.9"
        "M9.2 6.8a2.4 2.4 0 0 0-3.4 0L3.6 9A2.4 2.4 0 0 0 7 12.4l.9-.9"
    ),
    "lock": "M3.5 7.2h9v6.3h-9zM5.3 7.2V5a2.7 2.7 0 0 1 5.4 0v2.2",
    "matrix": "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11",
    "menu": "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
    "minus": "M3.5 8h9",
    "moon": "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
    "more": "M3.5 8v.1M8 8v.1M12.5 8v.1",
    "people": (
        "M6 3a2.3 2.3 0 1 0 0 4.6A2.3 2.3 0 1 0 6 3zM1.8 13c.2-2.4 1.8-3.7 4.2-3.7s4 1.3 4.2 3.7"
        "M10.5 3.3a2.2 2.2 0 0 1 0 4M12 9.6c1.3.5 2 1.6 2.2 3.4"
    ),
    "plus": "M8 3v10M3 8h10",
    "question": "M5.6 5.8a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.1.9-1.1 1.7M8 12.4v.1",
    "refresh": "M13.3 8A5.3 5.3 0 1 1 11.6 4.1M11.8 1.8v2.6H9.2",
    "report": "M9.2 2H4v12h8.2V5zM9.2 2v3h3M6.2 11.5V9.8M8.2 11.5V8M10.2 11.5V9",
    "roadmap": "M3.5 2.5v11M3.5 4h6M6 8h7M4.5 12h5",
    "running": "M8 2a6 6 0 1 1-5.2 3",
    "search": "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zM10.3 10.3l3.4 3.4",
    "signal": "M1.5 13.5h13M3 11V8.5M6.3 11V5M9.7 11V7M13 11V2.5",
    "settings": "M2.5 4.5h6M11.5 4.5h2M10 3v3M2.5 11.5h2M7.5 11.5h6M6 10v3",
    "shield": "M8 2l5 1.8v3.7c0 3-2 5.3-5 6.5-3-1.2-5-3.5-5-6.5V3.8z",
    "sign-out": "M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3",
    "sort": "M5 3v10M2.5 10.5 5 13l2.5-2.5M11 13V3M8.5 5.5 11 3l2.5 2.5",
    "star": "M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z",
    "sun": (
        "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 1 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2"
        "M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9"
    ),
    "trash": "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4",
    "upload": "M8 10.5V3M4.8 6 8 2.8 11.2 6M2.5 13.5h11",
    "user": (
        "M8 2.8a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 1 0 0-5.4zM2.8 13.5c.3-2.5 2.3-3.9 5.2-3.9s4.9 1.4 5.2 3.9"
    ),
}

# Two plates on a keel: the weight low in the hull that brings a ship back upright.
BRAND = (
    '<path d="M3 9.5h18l-2.2 5.2a4 4 0 0 1-3.7 2.5H8.9a4 4 0 0 1-3.7-2.5z" fill="currentColor"/>'
    '<path d="M9.5 20.5h5" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" fill="none"/>'
    '<path d="M12 3v4" stroke="currentColor" stroke-width="2" stroke-linecap="round" fill="none"/>'
)
