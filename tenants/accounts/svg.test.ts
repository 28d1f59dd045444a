import { expect, test } from 'vitest'
import { hasTooManyParts, sanitizeSvg } from './svg.ts'

const root = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const inside = (content: string): string | null => sanitizeSvg(`<svg xmlns="x">${content}</svg>`)
const drawing = (content: string): string => `${root}>${content}</svg>`

test('a drawing keeps what it needs', () => {
  const content =
    '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
    '<style>.b &gt; path{fill:url(#a)} @media (prefers-color-scheme: dark){.b{fill:#fff}}</style>' +
    '<g class="b" transform="scale(2)"><path d="M4 0l4 8H0z" fill="url(#a)" style="stroke: url( \'#a\')"/></g>' +
    '<use xlink:href="#a"/><image href="data:image/png;base64,iVBORw0KGgo="/><text>5 &lt; 6 &amp; 7</text>'
  expect(inside(content)).toBe(drawing(content))
  expect(sanitizeSvg('<svg viewBox="0 0 8 8"/>')).toBe(`${root} viewBox="0 0 8 8"/>`)
})

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script with a prefix', '<svg:script>alert(1)</svg:script>'],
  ['an event handler', '<g onload="alert(1)" ONCLICK=\'alert(1)\'/>', '<g/>'],
  ['HTML', '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>1</script></body></foreignObject>'],
  ['a link', '<a href="javascript:alert(1)"><path d="M0 0"/></a>'],
  ['an animation', '<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="x"/>'],
  [
    'a reference to another file',
    '<use href="https://evil.test/x.svg#a"/><image href="//evil.test/x"/>',
    '<use/><image/>',
  ],
  ['an SVG in an SVG', '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', '<image/>'],
  ['a disguised reference', '<use xlink:href="&#106;avascript&#x3a;alert(1)"/>', '<use/>'],
  [
    'a style that loads',
    '<style>@import "https://evil.test";</style><style>a{fill:url(x.svg#a)}</style>',
    '<style></style><style></style>',
  ],
  ['an escaped style', '<style><![CDATA[a{fill:u\\72l(https://evil.test)}]]></style>', '<style></style>'],
  ['a value that loads', '<path fill="url(https://evil.test/a)" style="fill:url(/x)"/>', '<path/>'],
  [
    'notes of drawing programs',
    '<metadata><rdf:RDF xmlns:rdf="y"/></metadata><g inkscape:label="a" xmlns:i="z"/>',
    '<g/>',
  ],
  ['comments and instructions', '<!-- <script> --><?xml-stylesheet href="https://evil.test"?>'],
])('%s is left out', (_what, content, left = '') => {
  expect(inside(content)).toBe(drawing(left))
})

test('the document type is left out, with the entities that it defines', () => {
  const text =
    '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x" "y" [ <!ENTITY ns "http://x"> <!ENTITY xxe SYSTEM "file:///etc/passwd"> ]>\n' +
    '<svg xmlns="&ns;"><text>&xxe;</text></svg>\n'
  expect(sanitizeSvg(text)).toBe(`\n\n${drawing('<text></text>')}\n`.trim())
})

test.each([
  '',
  'text',
  '<svg>',
  '<svg></g></svg>',
  '<svg/><svg/>',
  '<svg/>text',
  '<g/>',
  '<svg a=b/>',
  '<svg a="1" a="2"/>',
  '<svg a="1/>',
  '<svg><!-- </svg>',
  '<svg><![CDATA[ </svg>',
  '<!DOCTYPE svg [ <svg/>',
  '<svg><script</svg>',
])('%j is no drawing', (text) => {
  expect(sanitizeSvg(text)).toBeNull()
})

test('no drawing takes long', () => {
  const size = 5 * 1024 * 1024
  const pieces = [
    '<',
    '<g>',
    '<g/>',
    '<g a="',
    '<g ',
    '&',
    '&#',
    'a',
    ' ',
    '<!--',
    '<![CDATA[',
    '<!DOCTYPE [',
    '<g a="&amp;"/>',
  ]
  for (const text of pieces.flatMap((piece) =>
    ['<svg>', '<svg '].map((start) => start + piece.repeat(size / piece.length)),
  )) {
    const began = performance.now()
    if (!hasTooManyParts(text)) sanitizeSvg(text)
    expect(performance.now() - began, text.slice(0, 20)).toBeLessThan(1500)
  }
  expect(hasTooManyParts('<g/>'.repeat(100_001))).toBe(true)
  expect(hasTooManyParts('<g/>'.repeat(100_000))).toBe(false)
})
