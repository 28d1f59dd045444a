import { stripScripts } from './strip-scripts.ts'

/** Block elements. */
const blocks = [
  'p, div, h1, h2, h3, h4, h5, h6, li, ul, ol, blockquote, pre, section, article, header, footer, aside',
  'figure, figcaption, dl, dt, dd, table, tbody, thead, tfoot, tr, td, th, hr, address, main, nav, form, fieldset',
].join(', ')
const removedElements = [
  'style, script, title, meta, link, template, noscript, head, svg, math, img, object, iframe',
  '.Apple-interchange-newline',
].join(', ')

/**
 * Converts pasted HTML, including that of word processors, to elements that the editor's schema knows. The parsed
 * document is inert: it runs no scripts and loads nothing.
 */
export function sanitizePastedHtml(html: string): string {
  // Scripts wouldn't run, but would be reported as violations of the Content-Security-Policy.
  const { body } = new DOMParser().parseFromString(stripScripts(html), 'text/html')
  for (const element of body.querySelectorAll(removedElements)) element.remove()
  // Google Docs wraps everything in a <b> that isn't bold.
  for (const wrapper of body.querySelectorAll<HTMLElement>('b[id^="docs-internal-guid"]'))
    wrapper.replaceWith(...wrapper.childNodes)
  // Headings are bold anyway.
  for (const heading of body.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) heading.style.fontWeight = ''
  convertWordLists(body)
  flattenLists(body)
  convertTables(body)
  for (const text of body.querySelectorAll('pre')) text.innerHTML = text.innerHTML.trim().replaceAll('\n', '<br>')
  wrapLooseText(body)
  for (const line of body.querySelectorAll('br')) splitAtBreak(line, body)
  return body.innerHTML.replaceAll(/&nbsp;|\u00a0/g, ' ')
}

/** Word exports list items as paragraphs that start with a bullet. */
function convertWordLists(body: HTMLElement): void {
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

/** The schema has flat lists with one line per item. */
function flattenLists(body: HTMLElement): void {
  for (const inner of [...body.querySelectorAll('li ul, li ol')].reverse()) {
    const parent = inner.parentElement?.closest('li')
    parent?.after(...inner.children)
    inner.remove()
  }
  for (const inner of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol'))
    inner.replaceWith(...inner.childNodes)
  for (const item of body.querySelectorAll('li')) toSingleLine(item)
}

/** Turns each table row into a line. */
function convertTables(body: HTMLElement): void {
  for (const row of [...body.querySelectorAll('tr')].reverse()) {
    const line = body.ownerDocument.createElement('p')
    for (const [index, cell] of [...row.cells].entries()) {
      toSingleLine(cell)
      line.append(...(index ? [' '] : []), ...cell.childNodes)
    }
    row.replaceWith(line)
  }
}

function toSingleLine(element: Element): void {
  for (const line of element.querySelectorAll('br')) line.replaceWith(' ')
  for (const [index, block] of [...element.querySelectorAll(blocks)].entries())
    block.replaceWith(...(index ? [' '] : []), ...block.childNodes)
}

/** Wraps text between blocks in paragraphs. */
function wrapLooseText(body: HTMLElement): void {
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

/** Splits a paragraph at a line break, and removes a trailing one, which is invisible. */
function splitAtBreak(line: Element, body: HTMLElement): void {
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

const highlighterColors =
  /^(yellow|lime|aqua|cyan|fuchsia|magenta|greenyellow|gold|orange|pink|springgreen|deepskyblue|red|green|blue)\b/

/** Whether a background color is a highlight: not transparent, white or gray. */
export function isHighlighter(background: string): boolean {
  const value = background.trim().toLowerCase()
  if (highlighterColors.test(value)) return true
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
