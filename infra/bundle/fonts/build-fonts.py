#!/usr/bin/env python3
"""Generates the slips' fonts: shared/pdf/fonts/*.font.json and their licence.

The result needs no font library at run time. The script extracts the letters of Nigerian names and addresses from
Inter (SIL Open Font License 1.1, no reserved font name), and writes for each weight

- the outline of every glyph, compressed with deflate, and its advance width,
- the text that each glyph represents. A letter with tone marks that has no Unicode code point of its own, such as
  e with dot below and acute, becomes one glyph, with its marks at the font's anchors,
- kerning pairs of plain letters and punctuation.

Usage (needs npm, Python 3.9+, and `pip install -r infra/bundle/fonts/requirements.txt` in a virtual environment):

    python infra/bundle/fonts/build-fonts.py

The inputs are pinned, so only the modification time in the `head` tables differs between two runs.
"""

import base64
import hashlib
import json
import pathlib
import struct
import subprocess
import tarfile
import tempfile
import unicodedata
import zlib

import uharfbuzz as hb
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

PACKAGE = "@expo-google-fonts/inter@0.4.2"
TARGET = pathlib.Path(__file__).resolve().parents[3] / "shared" / "pdf" / "fonts"
SOURCES = {
    "inter-regular": (
        "400Regular/Inter_400Regular.ttf",
        "a414b48aa577ef2c62ebb135341ddeef33ee26a4f5dc9f787f93c1aab08ebb50",
    ),
    "inter-semibold": (
        "600SemiBold/Inter_600SemiBold.ttf",
        "f30e9d2574c3bec5144347ff965f9841c8f06857f0b7383000f8c9489a161841",
    ),
}
# The width of a typical vertical stem in 1/1000 em, for /StemV of the PDF font descriptor.
STEM_WIDTHS = {"inter-regular": 88, "inter-semibold": 128}

RANGES = [
    (0x0020, 0x007E), (0x00A0, 0x00AC), (0x00AE, 0x017F),  # Basic Latin, Latin-1, Extended-A
    (0x0180, 0x024F), (0x0250, 0x0299),  # Extended-B and IPA: hooked and turned letters of Hausa, Fulfulde, Kanuri
    (0x02B0, 0x02CF), (0x1E00, 0x1EFF),  # modifier apostrophes; dotted letters of Yoruba and Igbo
    (0x2010, 0x2027), (0x2030, 0x203A), (0x20A6, 0x20A6), (0x20AC, 0x20AC), (0x2116, 0x2116), (0x2122, 0x2122),
]
VOWELS_AND_NASALS = "aeiouyAEIOUYnmwNMWẹọịụẸỌỊỤṅṄŋŊǝƎəƏɛƐɔƆɩƖʋƲ"
DOTTED = "sShHzZaAeEiIoOuUnNdDrRlLtTɛƐɔƆ"
UNDERLINED_VOWELS = "aeiouAEIOUɛɔƐƆ"
TONES = "\u0300\u0301\u0302\u0303\u0304\u030C"
ABOVE = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030A\u030C\u030F"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Marks that the font lacks, built from two that it has: (mark with the shape, mark with the anchor).
BUILT_BELOW = {"\u0329": ("\u02CC", "\u0323"), "\u0331": ("\u0304", "\u0323"), "\u0324": ("\u0308", "\u0323"),
               "\u0330": ("\u0303", "\u0323")}
# The glyph for text that has none. It is drawn as a box and copied as U+FFFD.
REPLACEMENT, REPLACEMENT_SHAPE = "\uFFFD", "\u25A1"
KERNED = LETTERS + LETTERS.upper() + " -.,'’():/"
SMALLEST_KERN = 16  # in 1/2048 em; smaller steps are invisible
FEATURES = {"kern": False, "calt": False}


def texts_to_cover(cmap):
    """Returns every string, in NFC, that gets its own glyph."""
    singles = {chr(c) for low, high in RANGES for c in range(low, high + 1) if c in cmap}
    clusters = {b + m for b in VOWELS_AND_NASALS for m in ABOVE}
    clusters |= {b + m for b in LETTERS + LETTERS.upper() for m in TONES + "\u0307\u0323"}
    for base in DOTTED:
        clusters |= {base + below for below in BUILT_BELOW}
    for base in UNDERLINED_VOWELS:
        clusters |= {base + below + m for below in BUILT_BELOW for m in TONES}
    clusters = {unicodedata.normalize("NFC", c) for c in clusters}
    return sorted(singles | {REPLACEMENT} | {c for c in clusters if len(c) > 1 or ord(c) in cmap})


class Weight:
    """Collects the glyphs of one weight in their new order."""

    def __init__(self, path):
        self.ttf = TTFont(path)
        self.glyf = self.ttf["glyf"]
        self.order = self.ttf.getGlyphOrder()
        self.hb_font = hb.Font(hb.Face(pathlib.Path(path).read_bytes()))
        self.data, self.advances, self.texts = [], [], []
        self.components = {}
        self.add(self.simple([(".notdef", 0, 0)]), self.advance(".notdef"), "")

    def advance(self, name):
        return self.ttf["hmtx"][name][0]

    def add(self, data, advance, text):
        self.data.append(data + b"\0" * (-len(data) % 2))
        self.advances.append(advance)
        self.texts.append(text)
        return len(self.data) - 1

    def simple(self, placed):
        """Merges placed glyphs into one outline without hints."""
        pen = TTGlyphPen(None)
        for name, dx, dy in placed:
            record = DecomposingRecordingPen(self.ttf.getGlyphSet())
            self.ttf.getGlyphSet()[name].draw(record)
            for operator, points in record.value:
                getattr(pen, operator)(*[(x + dx, y + dy) if p else None for p in points for x, y in [p or (0, 0)]])
        glyph = pen.glyph()
        glyph.recalcBounds(self.glyf)
        return glyph.compile(self.glyf, recalcBBoxes=False) if glyph.numberOfContours else b""

    def flat(self, name, dx=0, dy=0):
        """Returns the simple glyphs that make up a glyph, with their positions. Returns None if one of them is
        transformed, or is not positioned by an offset."""
        glyph = self.glyf[name]
        if not glyph.isComposite():
            return [(name, dx, dy)]
        components = []
        for part in glyph.components:
            if hasattr(part, "transform") or not hasattr(part, "x"):
                return None
            inner = self.flat(part.glyphName, dx + part.x, dy + part.y)
            if inner is None:
                return None
            components += inner
        return components

    def shape(self, text):
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self.hb_font, buffer, {**FEATURES, "tnum": text.isdigit()})  # digits of equal width
        return [(self.order[i.codepoint], p) for i, p in zip(buffer.glyph_infos, buffer.glyph_positions)]

    def bounds(self, name):
        g = self.glyf[name]
        return (g.xMin, g.yMin, g.xMax, g.yMax) if g.numberOfContours else (0, 0, 0, 0)

    def placed(self, text):
        """Returns (glyph, x, y) for each component, and the advance width."""
        built = next((m for m in text if m in BUILT_BELOW), None)
        shape, anchor = BUILT_BELOW.get(built, ("", ""))
        source = unicodedata.normalize("NFD", text).replace(built, anchor) if built else text
        if text == REPLACEMENT:
            source = REPLACEMENT_SHAPE
        # Composed letters have anchors for the marks above, so only the built mark is positioned here.
        composed = unicodedata.normalize("NFC", source)
        pen, components = 0, []
        if built:
            rest = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).replace(built, ""))
            components, pen = self.placed(rest)
            dot = self.placed(unicodedata.normalize("NFC", unicodedata.normalize("NFD", rest)[0] + anchor))[0]
            left, _, right, top = self.whole_bounds(dot[-1:]) if len(dot) > 1 else self.lowest(dot)
            own = self.ttf.getBestCmap()[ord(shape)]
            x0, _, x1, y1 = self.bounds(own)
            return components + [(own, round((left + right - x0 - x1) / 2), top - y1)], pen
        for name, position in self.shape(composed):
            components.append((name, pen + position.x_offset, position.y_offset))
            pen += position.x_advance
        return [p for n, x, y in components for p in (self.flat(n, x, y) or [(n, x, y)])], pen

    def whole_bounds(self, components):
        name, x, y = components[0]
        x0, y0, x1, y1 = self.bounds(name)
        return x0 + x, y0 + y, x1 + x, y1 + y

    def lowest(self, components):
        """Returns the bounds of the lowest contour, which is a "dot below" that is part of the outline."""
        name, dx, dy = components[0]
        coordinates, ends, _ = self.glyf[name].getCoordinates(self.glyf)
        start, contours = 0, []
        for end in ends:
            points = coordinates[start:end + 1]
            contours.append((min(p[1] for p in points), max(p[1] for p in points),
                             min(p[0] for p in points), max(p[0] for p in points)))
            start = end + 1
        low, high, left, right = min(contours)
        return left + dx, low + dy, right + dx, high + dy

    def part(self, name):
        """Returns the new index of a component of composite glyphs. Adds the glyph if it is missing."""
        if name not in self.components:
            self.components[name] = self.add(self.simple([(name, 0, 0)]), self.advance(name), "")
        return self.components[name]

    def cover(self, text):
        placed, advance = self.placed(text)
        if len(placed) == 1 and placed[0][1:] == (0, 0):
            name = placed[0][0]
            if name in self.components and self.texts[self.components[name]] == "":
                self.texts[self.components[name]] = text
            else:
                self.components.setdefault(name, len(self.data))
                self.add(self.simple(placed), advance, text)
            return
        self.add(self.composite(placed), advance, text)

    def composite(self, placed):
        """Returns a composite glyph. Its entries take 8 bytes each, so that a subset can renumber them in place."""
        boxes = [self.whole_bounds([p]) for p in placed if self.glyf[p[0]].numberOfContours]
        box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
        data = struct.pack(">hhhhh", -1, *box)
        for i, (name, x, y) in enumerate(placed):
            more = 0x20 if i < len(placed) - 1 else 0
            data += struct.pack(">HHhh", 0x0003 | more, self.part(name), x, y)
        return data

    def kerning(self):
        pairs = {}
        for left in KERNED:
            own = self.hb_font.get_glyph_h_advance(self.ttf.getGlyphID(self.ttf.getBestCmap()[ord(left)]))
            for right in KERNED:
                buffer = hb.Buffer()
                buffer.add_str(left + right)
                buffer.guess_segment_properties()
                hb.shape(self.hb_font, buffer, {"kern": True, "calt": False})
                step = buffer.glyph_positions[0].x_advance - own
                if len(buffer.glyph_positions) == 2 and abs(step) >= SMALLEST_KERN:
                    pairs[left + right] = step
        return pairs


def prepare(name, path):
    weight = Weight(path)
    for text in texts_to_cover(weight.ttf.getBestCmap()):
        weight.cover(text)
    ttf, os2 = weight.ttf, weight.ttf["OS/2"]
    head, hhea = ttf["head"], ttf["hhea"]
    glyphs = b"".join(weight.data)
    return {
        "name": ttf["name"].getDebugName(6),
        "unitsPerEm": head.unitsPerEm,
        "bounds": [head.xMin, head.yMin, head.xMax, head.yMax],
        "ascent": hhea.ascent,
        "descent": hhea.descent,
        "capHeight": os2.sCapHeight,
        "stemWidth": STEM_WIDTHS[name],
        "tables": {tag: base64.b64encode(ttf.getTableData(tag)).decode() for tag in ("head", "hhea", "maxp")},
        "glyphs": base64.b64encode(zlib.compress(glyphs, 9)).decode(),
        "lengths": [len(d) for d in weight.data],
        "advances": weight.advances,
        "texts": weight.texts,
        "kerning": weight.kerning(),
    }


def main():
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True,
                                 text=True).stdout.strip()
        with tarfile.open(pathlib.Path(folder) / archive) as tar:
            for name, (member, digest) in SOURCES.items():
                content = tar.extractfile(f"package/{member}").read()
                if hashlib.sha256(content).hexdigest() != digest:
                    raise SystemExit(f"{member} in {PACKAGE} has changed: its SHA-256 differs from SOURCES")
                path = pathlib.Path(folder) / f"{name}.ttf"
                path.write_bytes(content)
                font = prepare(name, path)
                text = json.dumps(font, ensure_ascii=False, separators=(",", ":")) + "\n"
                (TARGET / f"{name}.font.json").write_text(text, encoding="utf-8")
                print(f"{name}: {len(font['texts'])} glyphs, {len(text.encode())} bytes")
            (TARGET / "OFL.txt").write_bytes(tar.extractfile("package/LICENSE_FONT").read())


if __name__ == "__main__":
    main()
