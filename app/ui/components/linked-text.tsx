const address = /https?:\/\/[^\s<>"]+/g
/** A sentence may end after an address. */
const endings = ".,;:!?)]'’”"

/** Text whose web addresses are links, which open in a tab of their own. */
export function LinkedText({ text }: { text: string }) {
  const parts: (string | { href: string })[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = trimEnd(found)
    if (!URL.canParse(href)) continue
    parts.push(text.slice(end, index), { href })
    end = index + href.length
  }
  parts.push(text.slice(end))
  return parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow" className="link">
        {part.href}
      </a>
    ),
  )
}

function trimEnd(found: string): string {
  let { length } = found
  while (endings.includes(found[length - 1]!)) length--
  return found.slice(0, length)
}
