/** Elements that stand on lines of their own. */
const blocks = 'p, div, h1, h2, h3, h4, h5, h6, li, ul, ol, blockquote, pre, section, article, header, footer, aside, figure, figcaption, dl, dt, dd, table, tbody, thead, tfoot, tr, td, th, hr, address, main, nav, form, fieldset'
const unseen = 'style, script, title, meta, link, template, noscript, svg, math, img, object, iframe, head, .Apple-interchange-newline'

/**
 * Copied HTML on its way into the editor: what word processors write in ways of their own becomes what the schema knows, so
 * that the rest can be dropped. The document is inert: nothing in it runs or is loaded.
 */
export function readyToPaste(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll(unseen)) element.remove()
  // Google Docs wraps everything in a <b> that isn't bold.
  for (const wrapper of body.querySelectorAll<HTMLElement>('b[id^="docs-internal-guid"]')) wrapper.replaceWith(...wrapper.childNodes)
  wordLists(body)
  flatLists(body)
  for (const row of body.querySelectorAll('tr')) for (const cell of [...row.cells].slice(1)) cell.prepend(' ')
  for (const cell of body.querySelectorAll('td, th')) if (!cell.querySelector(blocks)) cell.replaceWith(...cell.childNodes)
  renamed(body, 'tr', 'p')
  wrapLoose(body)
  for (const line of body.querySelectorAll('br')) breakAt(line, body)
  return body.innerHTML.replaceAll(/&nbsp;|\u00a0/g, ' ')
}

/** Word writes list items as paragraphs that begin with a drawn bullet. */
function wordLists(body: HTMLElement): void {
  for (const bullet of body.querySelectorAll('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]')) bullet.remove()
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
  for (const inner of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) inner.replaceWith(...inner.childNodes)
  for (const item of body.querySelectorAll('li')) {
    for (const line of item.querySelectorAll('br')) line.replaceWith(' ')
    for (const [at, block] of [...item.querySelectorAll(blocks)].entries()) block.replaceWith(...(at ? [' '] : []), ...block.childNodes)
  }
}

function renamed(body: HTMLElement, from: string, to: string): void {
  for (const element of body.querySelectorAll(from)) {
    const other = body.ownerDocument.createElement(to)
    other.append(...element.childNodes)
    element.replaceWith(other)
  }
}

/** Words that stand beside blocks are a paragraph. */
function wrapLoose(body: HTMLElement): void {
  let run: HTMLElement | null = null
  const nodes = [...body.childNodes]
  for (const node of nodes) {
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

const pens = /^(yellow|lime|aqua|cyan|fuchsia|magenta|greenyellow|gold|orange|pink|springgreen|deepskyblue|red|green|blue)\b/

/** Whether a background is that of a highlighter: a color, not white, grey or nothing. */
export function isHighlighter(background: string): boolean {
  const value = background.trim().toLowerCase()
  if (pens.test(value)) return true
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b/.exec(value)?.slice(1).map((part) => Number.parseInt(part, 16))
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])(?![0-9a-f])/.exec(value)?.slice(1).map((part) => Number.parseInt(part + part, 16))
  const written = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+))?/.exec(value)
  if (Number(written?.[4] ?? 1) === 0) return false
  const rgb = hex ?? short ?? written?.slice(1, 4).map(Number)
  return rgb !== undefined && Math.max(...rgb) - Math.min(...rgb) >= 60
}
