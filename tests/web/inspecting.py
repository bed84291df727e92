"""What a page must keep to, whoever uses it: axe-core's rules, and checks of our own that axe has none for."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe_playwright_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""What axe-core is asked for: WCAG 2.2 A and AA, and its own best practices."""

ENHANCED = ("table.page", "table.television", "new_match.page")
"""Pages whose contrast keeps to AAA (7:1)."""

TARGET = 44
"""Pixels across what can be tapped."""


@cache
def axe() -> str:
    """axe-core itself (MPL-2.0), as it comes with axe-playwright-python."""
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, *, enhanced: bool) -> list[str]:
    """What axe-core finds by day, and in the colours of the night, a line each."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe())
    contrast = "color-contrast-enhanced" if enhanced else "color-contrast"
    rules = {"color-contrast": {"enabled": False}, contrast: {"enabled": True}}  # 7:1 is 4.5:1 as well
    by_day: dict[str, Any] = {"runOnly": {"type": "tag", "values": TAGS}, "rules": rules}
    by_night = {"runOnly": {"type": "rule", "values": [contrast]}}
    told: list[str] = []
    for scheme, options in (("light", by_day), ("dark", by_night)):
        page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
        found = page.evaluate("options => axe.run(document, options)", {"resultTypes": ["violations"], **options})
        told += [
            f"{scheme} {one['id']}: {node['target']}: {' '.join(str(node.get('failureSummary', '')).split())}"
            for one in found["violations"]
            for node in one["nodes"]
        ]
    page.emulate_media(color_scheme="light")
    return told


def small_targets(page: Page) -> list[str]:
    """What can be tapped and is smaller than 44 pixels; links in the middle of a sentence excepted (WCAG 2.5.8), and
    the boxes of a sheet where a mouse hits them, which are 24 high."""
    return page.evaluate(
        """most => {
          const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
          const all = document.querySelectorAll(
            "button, a[href], summary, select, textarea, input:not([type=hidden]), [role=button]");
          const small = [];
          for (const one of all) {
            if (!shown(one)) continue;
            if (one.tagName === "A" && getComputedStyle(one).display === "inline") continue;
            // A skip link is seen when it has focus alone.
            if (one.classList.contains("skip")) continue;
            // Nobody can tap what is clipped away; a form's first button may be, so that Enter presses it.
            if (one.getAttribute("aria-hidden") === "true" || getComputedStyle(one).clipPath === "inset(50%)") continue;
            const label = one.matches("input[type=checkbox], input[type=radio]") ? one.closest("label") : null;
            const box = (label ?? one).getBoundingClientRect();
            const mouse = one.matches(".box, .call") && matchMedia("(pointer: fine) and (min-width: 60rem)").matches;
            if (mouse && box.height >= 24 && box.width >= 24) continue;
            if (box.width < most - 0.6 || box.height < most - 0.6)
              small.push(`${one.id || one.outerHTML.slice(0, 90)}: ${Math.round(box.width)}×${Math.round(box.height)}`);
          }
          return small;
        }""",
        TARGET,
    )


def hidden_focus(page: Page) -> list[str]:
    """What has the keyboard's focus and does not show it, or is covered then."""
    page.evaluate("window.scrollTo(0, 0); document.activeElement?.blur()")
    page.keyboard.press("Tab")  # from now on it is the keyboard that moves the focus
    return page.evaluate(
        """() => {
          const wanted = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
          const found = [];
          for (const one of document.querySelectorAll(wanted)) {
            if (one.tabIndex < 0 || one.disabled || !one.checkVisibility({ visibilityProperty: true })) continue;
            one.focus();
            if (document.activeElement !== one) continue;
            const style = getComputedStyle(one);
            const label = one.closest("label");
            const around = label ? getComputedStyle(label) : style;
            const beside = one.nextElementSibling ? getComputedStyle(one.nextElementSibling) : style;
            const name = one.id || one.outerHTML.slice(0, 90);
            if (![style, around, beside].some((s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2)) {
              found.push(`${name}: no outline`);
              continue;
            }
            const box = one.getBoundingClientRect();
            // A field that is clipped away stands for its label's drawing, which has the outline.
            if (box.width < 4 || box.height < 4) continue;
            const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 2);
            const y = Math.min(Math.max(box.top + Math.min(box.height / 2, 20), 1), innerHeight - 2);
            const there = document.elementFromPoint(x, y);
            if (!there || !(one.contains(there) || there.contains(one) || label?.contains(there)))
              found.push(`${name}: covered by ${there?.outerHTML.slice(0, 60)}`);
          }
          return found;
        }"""
    )


def moves(page: Page) -> list[str]:
    """What would still move though the system asks for no motion."""
    return page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((one) => {
          const style = getComputedStyle(one);
          const spins = style.animationName === "none" ? "0s" : style.animationDuration;
          return `${style.transitionDuration}, ${spins}`.split(",").some((time) => parseFloat(time) > 0.01);
        }).map((one) => one.outerHTML.slice(0, 80)).slice(0, 5)"""
    )


def too_wide(page: Page) -> list[str]:
    """What reaches beyond the right edge of the page, where the page can be scrolled sideways at all."""
    return page.evaluate(
        """() => {
          const wide = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= wide) return [];
          const beyond = (one) => one.getBoundingClientRect().right > wide + 1;
          return [...document.querySelectorAll("body *")]
            .filter((one) => beyond(one) && ![...one.querySelectorAll("*")].some(beyond))
            .filter((one) => {
              // What lies in a part that scrolls by itself makes nothing wider.
              for (let up = one.parentElement; up; up = up.parentElement)
                if (["auto", "scroll", "hidden"].includes(getComputedStyle(up).overflowX)) return false;
              return true;
            })
            .map((one) => one.outerHTML.slice(0, 80)).slice(0, 6);
        }"""
    )


def cut_off(page: Page) -> list[str]:
    """Words that their box cuts off: it hides what overflows, or the line is wider than what it stands in."""
    return page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter((one) => {
          if (!one.checkVisibility({ visibilityProperty: true })) return false;
          if (one.closest("svg, select, .hidden, .skip")) return false;
          const style = getComputedStyle(one);
          if (style.clipPath === "inset(50%)" || ![...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            return false;
          if (style.display === "inline") return false;
          const holds = style.overflowX === "visible" ? 3 : 1;
          return one.clientWidth > 0 && (one.scrollWidth > one.clientWidth + holds
            || (style.overflowY === "hidden" && one.scrollHeight > one.clientHeight + 1));
        }).map((one) => `${one.outerHTML.slice(0, 90)} ${one.scrollWidth}>${one.clientWidth}`).slice(0, 6)"""
    )


PALE = """() => {
  const parse = (color) => {
    const n = color.match(/[\\d.]+/g).map(Number);
    return color.startsWith('color(') ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1] : [n[0], n[1], n[2], n[3] ?? 1];
  };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3]));
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const svg = at.matches('.hex') ? getComputedStyle(at.querySelector('polygon')).fill : null;
      const color = parse(svg ?? getComputedStyle(at).backgroundColor);
      layers.unshift(color);
      if (color[3] === 1) break;
    }
    return layers.reduce((below, above) => over(above, below), [255, 255, 255]);
  };
  const pale = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.textContent.trim() || !one.checkVisibility()) continue;
    if (one.closest('svg, .hidden, option, .state, figure')) continue;
    const style = getComputedStyle(one);
    const below = ground(one);
    const [a, b] = [light(over(parse(style.color), below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 4.5 : 7;
    if (ratio < needed) pale.push(`${node.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return pale;
}"""


def pale(page: Page) -> list[str]:
    """Every piece of text in sight whose contrast is below WCAG's AAA (7:1, large text 4.5:1), on drawn boards too,
    where axe-core cannot tell; by day and by night."""
    told: list[str] = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
        told += [f"{scheme} {one}" for one in page.evaluate(PALE)]
    return told


def inline_code(html: str) -> list[str]:
    """Scripts, styles and handlers inside a page, which the content policy would block."""
    found = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", html) + re.findall(r"<style\b", html)
    found += re.findall(r"<[^>]+\sstyle=\"", html)
    return found + re.findall(r"<[^>]+\son[a-z]+=\"", html)


def filled_live_regions(html: str) -> list[str]:
    """Regions that say what happens, and have something in them before they were ever used."""
    regions = re.findall(r"<(\w+)[^>]*\bid=\"announcer\"[^>]*>(.*?)</\1>", html, re.S)
    return [words.strip() for _, words in regions if words.strip()]
