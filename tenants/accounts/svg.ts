/** All others are left out with what they contain: scripts, links, animations, HTML. */
const drawingElements = new Set(
  `svg g defs symbol use switch title desc style image path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight
  feTile feTurbulence`.split(/\s+/),
)
const namespaces = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Elements, attributes and character references: reading so many takes a tenth of a second. */
const maxParts = 100_000

/** Whether an SVG has more parts than `sanitizeSvg` should read. */
export function hasTooManyParts(text: string): boolean {
  let parts = 0
  for (let index = 0; index < text.length && parts <= maxParts; index += 1)
    if (text[index] === '<' || text[index] === '=' || text[index] === '&') parts += 1
  return parts > maxParts
}

/**
 * Writes an SVG anew, with only the elements and attributes of a drawing and without references to other files. Returns
 * null if the text isn't well-formed XML. Takes linear time, whatever the input.
 */
export function sanitizeSvg(text: string): string | null {
  const open: string[] = []
  let droppedDepth = 0
  let output = ''
  for (let start = 0; start < text.length; ) {
    const token = readToken(text, start)
    if (!token) return null
    start = token.end
    if (token.kind === 'skipped') continue
    if (token.kind === 'text') {
      if (!open.length && token.text.trim()) return null
      if (open.length && !droppedDepth) output += writeText(token.text, open.at(-1)!)
      continue
    }
    const { name } = token
    if (token.kind === 'closing') {
      if (open.pop() !== name) return null
      if (droppedDepth) droppedDepth -= 1
      else output += `</${name}>`
      continue
    }
    const isRoot = !open.length
    if (isRoot && (output || name !== 'svg')) return null
    const attributes = readAttributes(token.attributes)
    if (!attributes) return null
    const isDropped = droppedDepth > 0 || !drawingElements.has(name)
    if (!isDropped) output += `<${name}${isRoot ? namespaces : ''}${attributes.map(writeAttribute).join('')}`
    if (token.isEmpty) output += isDropped ? '' : '/>'
    else {
      open.push(name)
      if (isDropped) droppedDepth += 1
      else output += '>'
    }
  }
  return output && !open.length ? output : null
}

type Token = { end: number } & (
  | { kind: 'skipped' }
  | { kind: 'text'; text: string }
  | { kind: 'closing'; name: string }
  | { kind: 'opening'; name: string; attributes: string; isEmpty: boolean }
)

/** Reads a tag, a text, or what is left out: comments, declarations, the document type. */
function readToken(text: string, start: number): Token | null {
  const until = (mark: string, from = start): number => {
    const index = text.indexOf(mark, from)
    return index < 0 ? -1 : index + mark.length
  }
  const skipTo = (end: number): Token | null => (end < 0 ? null : { kind: 'skipped', end })
  if (text[start] !== '<') {
    const next = text.indexOf('<', start)
    const end = next < 0 ? text.length : next
    return { kind: 'text', text: decodeXml(text.slice(start, end)), end }
  }
  if (text.startsWith('<!--', start)) return skipTo(until('-->', start + 4))
  if (text.startsWith('<?', start)) return skipTo(until('?>'))
  if (text.startsWith('<![CDATA[', start)) {
    const end = until(']]>')
    return end < 0 ? null : { kind: 'text', text: text.slice(start + 9, end - 3), end }
  }
  if (text.startsWith('<!', start)) {
    const [bracket, close] = [text.indexOf('[', start), text.indexOf('>', start)]
    if (bracket < 0 || bracket > close) return skipTo(until('>'))
    const subsetEnd = until(']', bracket)
    return subsetEnd < 0 ? null : skipTo(until('>', subsetEnd))
  }
  const end = findTagEnd(text, start)
  const [, closing, name = ''] = /^<(\/?)([A-Za-z_][\w:.-]{0,60})(?=[\s/>])/.exec(text.slice(start, start + 64)) ?? []
  if (end < 0 || !name) return null
  if (closing) return { kind: 'closing', name, end }
  const isEmpty = text[end - 2] === '/'
  return {
    kind: 'opening',
    name,
    attributes: text.slice(start + 1 + name.length, end - (isEmpty ? 2 : 1)),
    isEmpty,
    end,
  }
}

/** The index after the `>` of a tag; one in a quoted value doesn't count. */
function findTagEnd(text: string, start: number): number {
  let quote = ''
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]!
    if (quote) quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index + 1
  }
  return -1
}

const writeText = (text: string, element: string): string =>
  element === 'style' && !isLocal(text) ? '' : escapeXml(text)

type Attribute = { name: string; value: string }

function readAttributes(text: string): Attribute[] | null {
  const found: Attribute[] = []
  const names = new Set<string>()
  let rest = 0
  for (;;) {
    const start = /\s*(?:([A-Za-z_][\w:.-]{0,60})\s*=\s*(["']))?/y
    start.lastIndex = rest
    const [, name, quote] = start.exec(text) ?? []
    if (!name || !quote) return start.lastIndex === text.length ? found : null
    const end = text.indexOf(quote, start.lastIndex)
    if (end < 0 || names.has(name)) return null
    names.add(name)
    found.push({ name, value: decodeXml(text.slice(start.lastIndex, end)) })
    rest = end + 1
  }
}

/**
 * Nothing for an attribute that is no part of a drawing: an event handler, another namespace, a reference elsewhere.
 */
function writeAttribute({ name, value }: Attribute): string {
  const isReference = name === 'href' || name === 'xlink:href'
  if (
    isReference ? !/^#|^data:image\/(png|jpeg);base64,/.test(value) : /^on|^xmlns|:/i.test(name) && !/^xml:/.test(name)
  )
    return ''
  if (!isReference && !isLocal(value)) return ''
  return ` ${name}="${escapeXml(value)}"`
}

/** Whether a style or value loads nothing. */
function isLocal(value: string): boolean {
  if (/[\\]|\/\/|javascript:|expression/i.test(value) || value.replaceAll('@media', '').includes('@')) return false
  return [...value.matchAll(/url\s*\(([^)]*)/gi)].every(([, target = '']) => /^["']?#/.test(target.trim()))
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves character references. Others, which the document type may have defined, are left out. */
const decodeXml = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|\w{1,60});?/gi, (reference, decimal?: string, hex?: string) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null
    if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    return entities[reference.slice(1).replace(';', '')] ?? ''
  })

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
