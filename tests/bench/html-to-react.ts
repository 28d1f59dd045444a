import { createElement, type ReactElement } from 'react'

type HtmlNode = string | { tag: string; props: Record<string, unknown>; children: HtmlNode[] }

const voidTags = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const rawTextTags = new Set(['script', 'style'])
const booleanAttributes = new Set([
  'async',
  'checked',
  'disabled',
  'hidden',
  'multiple',
  'open',
  'required',
  'selected',
])
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Parses a page that React rendered. Returns a function that creates its elements anew, as components would. */
export function htmlToReact(html: string): () => ReactElement {
  const root = parse(html.replace(/^<!doctype html>/i, ''))
  return () => toElement(root) as ReactElement
}

function parse(html: string): HtmlNode {
  const root: Exclude<HtmlNode, string> = { tag: 'root', props: {}, children: [] }
  const stack = [root]
  const token = /<!--.*?-->|<\/([\w-]+)>|<([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>|[^<]+/gs
  for (let match = token.exec(html); match; match = token.exec(html)) {
    const [text, closingTag, openingTag, attributes = ''] = match
    if (closingTag) stack.pop()
    else if (openingTag) {
      const node = { tag: openingTag, props: parseAttributes(attributes), children: [] as HtmlNode[] }
      stack.at(-1)!.children.push(node)
      if (rawTextTags.has(openingTag)) {
        const end = html.indexOf(`</${openingTag}>`, token.lastIndex)
        Object.assign(node.props, { dangerouslySetInnerHTML: { __html: html.slice(token.lastIndex, end) } })
        token.lastIndex = end + openingTag.length + 3
      } else if (!voidTags.has(openingTag)) stack.push(node)
    } else if (!text.startsWith('<!--')) stack.at(-1)!.children.push(decode(text))
  }
  return root.children[0]!
}

function parseAttributes(attributes: string): Record<string, unknown> {
  return Object.fromEntries(
    [...attributes.matchAll(/([^\s=>/]+)(?:="([^"]*)")?/g)].map(([, name, value = '']) => {
      if (name === 'class') return ['className', decode(value)]
      if (name === 'style') return ['style', parseStyle(decode(value))]
      return [name!, booleanAttributes.has(name!) ? true : decode(value)]
    }),
  )
}

function parseStyle(style: string): Record<string, string> {
  const declarations = style.split(';').map((declaration) => declaration.split(/:(.*)/s) as [string, string])
  return Object.fromEntries(declarations.map(([name, value]) => [toCamelCase(name), value]))
}

const toCamelCase = (name: string): string =>
  name.startsWith('--') ? name : name.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())

const decode = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_match, name) => entities[name]!)

function toElement(node: HtmlNode): ReactElement | string {
  if (typeof node === 'string') return node
  return createElement(node.tag, { ...node.props }, ...node.children.map(toElement))
}
