/** Elements that stand on lines of their own. */
const blocks =
  'p, div, h1, h2, h3, h4, h5, h6, li, ul, ol, blockquote, pre, section, article, header, footer, aside, figure, figcaption, dl, dt, dd, table, tbody, thead, tfoot, tr, td, th, hr, address, main, nav, form, fieldset'
const unseen =
  'style, script, title, meta, link, template, noscript, svg, math, img, object, iframe, head, .Apple-interchange-newline'

/**
 * Copied HTML on its way into the editor: what word processors write in ways of their own becomes what the schema knows, so
 * that the rest can be dropped. The document is inert: nothing in it runs or is loaded.
 */
export function readyToPaste(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutCode(html), 'text/html')
  for (const element of body.querySelectorAll(unseen)) element.remove()
  // Google Docs wraps everything in a <b> that isn't bold.
  for (const wrapper of body.querySelectorAll<HTMLElement>('b[id^="docs-internal-guid"]'))
    wrapper.replaceWith(...wrapper.childNodes)
  // A heading is bold by itself.
  for (const heading of body.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) heading.style.fontWeight = ''
  wordLists(body)
  flatLists(body)
  tables(body)
  for (const text of body.querySelectorAll('pre')) text.innerHTML = text.innerHTML.trim().replaceAll('\n', '<br>')
  wrapLoose(body)
  for (const line of body.querySelectorAll('br')) breakAt(line, body)
  return body.innerHTML.replaceAll(/&nbsp;|\u00a0/g, ' ')
}

/** It would not run, but the browser would complain that the page's policy forbids it. */
function withoutCode(html: string): string {
  return html
    .replaceAll(/<(style|script)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/\son\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, ''))
}

/** Word writes list items as paragraphs that begin with a drawn bullet. */
function wordLists(body: HTMLElement): void {
  for (const bullet of body.querySelectorAll('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'))
    bullet.remove()
  for (const line of body.querySelectorAll<HTMLElement>('p[style*="mso-list" i], p[class^="MsoListParagraph"]')) {
    const item = body.ownerDocument.createElement('li')
    item.append(...line.childNodes)
    const before = line.previousElementSibling
    if (before?.localName === 'ul' && before.hasAttribute('data-word')) {
      before.append(item)
      line.remove()
    } else {
      const list = body.ownerDocument.createElement('ul')
      list.setAttribute('data-word', '')
      list.append(item)
      line.replaceWith(list)
    }
  }
}

/** A list has one level, and an item one line. */
function flatLists(body: HTMLElement): void {
  for (const inner of [...body.querySelectorAll('li ul, li ol')].reverse()) {
    const parent = inner.parentElement?.closest('li')
    parent?.after(...inner.children)
    inner.remove()
  }
  for (const inner of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol'))
    inner.replaceWith(...inner.childNodes)
  for (const item of body.querySelectorAll('li')) oneLine(item)
}

/** A row of a table is a line. */
function tables(body: HTMLElement): void {
  for (const row of [...body.querySelectorAll('tr')].reverse()) {
    const line = body.ownerDocument.createElement('p')
    for (const [at, cell] of [...row.cells].entries()) {
      oneLine(cell)
      line.append(...(at ? [' '] : []), ...cell.childNodes)
    }
    row.replaceWith(line)
  }
}

function oneLine(element: Element): void {
  for (const line of element.querySelectorAll('br')) line.replaceWith(' ')
  for (const [at, block] of [...element.querySelectorAll(blocks)].entries())
    block.replaceWith(...(at ? [' '] : []), ...block.childNodes)
}

/** Words that stand beside blocks are a paragraph. */
function wrapLoose(body: HTMLElement): void {
  let run: HTMLElement | null = null
  const nodes = [...body.childNodes]
  for (const node of nodes) {
    if (node instanceof Comment) continue
    const isBlock = node instanceof Element && (node.matches(blocks) || node.querySelector(blocks) !== null)
    const isSpace = !(node instanceof Element) && !node.textContent?.trim()
    if (isBlock || (isSpace && !run)) {
      run = null
      continue
    }
    if (!run) {
      run = body.ownerDocument.createElement('p')
      node.before(run)
    }
    run.append(node)
  }
}

/** A break inside of a paragraph is a new line of the stored text; one at its end is not seen. */
function breakAt(line: Element, body: HTMLElement): void {
  const block = line.parentElement?.closest(blocks)
  if (!block || !body.contains(block)) return line.remove()
  const rest = body.ownerDocument.createRange()
  rest.setStartAfter(line)
  rest.setEndAfter(block.lastChild!)
  if (!rest.toString().trim() && !rest.cloneContents().querySelector('br')) return line.remove()
  const next = block.cloneNode(false) as Element
  next.append(rest.extractContents())
  line.remove()
  block.after(next)
}

const pens =
  /^(yellow|lime|aqua|cyan|fuchsia|magenta|greenyellow|gold|orange|pink|springgreen|deepskyblue|red|green|blue)\b/

/** Whether a background is that of a highlighter: a color, not white, grey or nothing. */
export function isHighlighter(background: string): boolean {
  const value = background.trim().toLowerCase()
  if (pens.test(value)) return true
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b/
    .exec(value)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16))
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])(?![0-9a-f])/
    .exec(value)
    ?.slice(1)
    .map((part) => Number.parseInt(part + part, 16))
  const written = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+))?/.exec(value)
  if (Number(written?.[4] ?? 1) === 0) return false
  const rgb = hex ?? short ?? written?.slice(1, 4).map(Number)
  return rgb !== undefined && Math.max(...rgb) - Math.min(...rgb) >= 60
}
