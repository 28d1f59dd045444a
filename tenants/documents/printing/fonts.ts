import { createRequire } from 'node:module'
import path from 'node:path'
import { Font } from '@react-pdf/renderer'

// Free fonts (OFL) from packages. A document loads those of its scripts only: the Chinese one alone has 8 MB.

const require = createRequire(import.meta.url)
const embedPdf = (name: string, file: string): string =>
  path.resolve(path.dirname(require.resolve(`@embedpdf/fonts-${name}`)), '../fonts', file)

const families = [
  {
    family: 'Latin',
    needs: null,
    regular: () => embedPdf('latin', 'NotoSans-Regular.ttf'),
    bold: () => embedPdf('latin', 'NotoSans-SemiBold.ttf'),
  },
  {
    family: 'Arabic',
    needs: /\p{Script=Arabic}/u,
    regular: () => embedPdf('arabic', 'NotoNaskhArabic-Regular.ttf'),
    bold: () => embedPdf('arabic', 'NotoNaskhArabic-Bold.ttf'),
  },
  {
    family: 'Hebrew',
    needs: /\p{Script=Hebrew}/u,
    regular: () => embedPdf('hebrew', 'NotoSansHebrew-Regular.ttf'),
    bold: () => embedPdf('hebrew', 'NotoSansHebrew-Bold.ttf'),
  },
  {
    family: 'Chinese',
    needs: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u,
    regular: () => embedPdf('sc', 'NotoSansHans-Regular.otf'),
  },
  {
    family: 'Emoji',
    needs: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u,
    regular: () => require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  },
]

for (const { family, regular, bold = regular } of families) {
  Font.register({
    family,
    fonts: [
      { src: regular(), fontWeight: 400 },
      { src: bold(), fontWeight: 600 },
    ],
  })
}
Font.registerHyphenationCallback(splitLongWord)

export type Typeface = {
  /** A glyph is taken from the first family that has it. */
  families: string[]
  /** The text with a question mark for each letter that no family has: the library would print any other letter. */
  toPrintable(text: string): string
}

/** Loads the families for the scripts of `texts`. */
export async function loadTypeface(texts: string[]): Promise<Typeface> {
  const all = texts.join('\n')
  const chosen = families.filter(({ needs }) => !needs || needs.test(all)).map(({ family }) => family)
  const descriptors = chosen.map((fontFamily) => ({ fontFamily, fontWeight: 400 }))
  for (const { family } of families) if (chosen.includes(family) && !loaded.has(family)) await loadFamily(family)
  const fonts = descriptors.map((descriptor) => Font.getFont(descriptor)!.data as unknown as FontData)
  const hasGlyph = (letter: string): boolean =>
    letter === '\n' || fonts.some((font) => font.hasGlyphForCodePoint(letter.codePointAt(0)!))
  return {
    families: chosen,
    toPrintable: (text) => [...separateEmoji(text)].map((letter) => (hasGlyph(letter) ? letter : '?')).join(''),
  }
}
type FontData = {
  characterSet: number[]
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): unknown
}

const loaded = new Set<string>()

/**
 * The library remembers each glyph as it was first used: as a part of another one it has no letter, and a search in the
 * PDF can't find it. So all are used as letters first. Chinese glyphs have no parts.
 */
async function loadFamily(family: string): Promise<void> {
  for (const fontWeight of [400, 600]) {
    await Font.load({ fontFamily: family, fontWeight })
    if (family === 'Chinese') continue
    const font = Font.getFont({ fontFamily: family, fontWeight })!.data as unknown as FontData
    for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
  }
  loaded.add(family)
}

/**
 * Each emoji by itself, without variants and skin tones: the library loses the second one of two that touch, and a
 * space after one.
 */
function separateEmoji(text: string): string {
  return text
    .replaceAll(/[\ufe0e\ufe0f\u20e3]|\p{Emoji_Modifier}|(?<=\p{Extended_Pictographic})\u200d/gu, '')
    .replaceAll(/\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu, '$&\u200b')
}

const longWord = 20

/** No word is hyphenated, but one that is wider than a column is broken. Chinese has no spaces: it breaks anywhere. */
function splitLongWord(word: string): string[] {
  const letters = [...word]
  if (letters.length <= longWord) return [word]
  const size = /\p{Script=Han}/u.test(word) ? 1 : longWord
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, part) =>
    letters.slice(part * size, (part + 1) * size).join(''),
  )
}
