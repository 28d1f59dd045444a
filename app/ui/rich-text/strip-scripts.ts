const rawElement = /(<\/?(?:style|script)\b)/i

/**
 * Removes scripts, styles and event handlers from pasted HTML. In linear time: each pattern stops at the next `<`, so
 * that unclosed tags aren't searched again and again.
 */
export function stripScripts(html: string): string {
  return removeRawElements(html).replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(/\son\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, ''),
  )
}

function removeRawElements(html: string): string {
  // Alternates between text and the start of a tag.
  const [first = '', ...parts] = html.split(rawElement)
  let output = first
  let open = ''
  for (let index = 0; index < parts.length; index += 2) {
    const tag = parts[index]!.toLowerCase()
    if (open && tag !== open.replace('<', '</')) continue
    open = open || tag.startsWith('</') ? '' : tag
    const rest = parts[index + 1]!
    if (!open) output += rest.slice(rest.indexOf('>') + 1)
  }
  return output
}
