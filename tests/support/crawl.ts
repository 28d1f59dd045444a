import type { BuiltApp, PageResponse } from './built-app.ts'
import { readContent } from './file-text.ts'

/** `text`: the headers with their names, and all that can be read in the body. */
export type CrawledPage = { status: number; headers: PageResponse['headers']; text: string }

/** How many pages with the same path are opened: calendars link to every day. */
const maxAlike = 3
/** A crawl that finds more has lost its way. */
const maxPages = 600

type Crawl = { host: string; paths: string[]; cookie?: string; seen?: Map<string, CrawledPage> }

/** Opens `paths` on a host, and every page and file of the host that they name. Adds them to `seen`. */
export async function crawl(
  built: BuiltApp,
  { host, paths, cookie, seen = new Map() }: Crawl,
): Promise<Map<string, CrawledPage>> {
  const open = [...paths]
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const page = path.split('?')[0]!
    const alike = [...seen.keys()].filter((other) => other.split('?')[0] === page).length
    if (seen.has(path) || alike >= maxAlike) continue
    if (seen.size >= maxPages) throw new Error(`More than ${maxPages} pages, such as ${path}`)
    const crawled = await openPage(built, path, { host, ...(cookie === undefined ? {} : { cookie }) })
    seen.set(path, crawled)
    open.push(...listLinks(crawled, host))
  }
  return seen
}

export async function openPage(
  built: BuiltApp,
  path: string,
  options: Parameters<BuiltApp['request']>[1] & object,
): Promise<CrawledPage> {
  const { status, headers, content } = await built.request(path, options)
  return { status, headers, text: `${JSON.stringify(headers)}\n${await readContent(content)}` }
}

/** The paths on the host that a page, an email or a file names. */
export function listLinks({ text, headers }: Pick<CrawledPage, 'text'> & Partial<CrawledPage>, host: string): string[] {
  const origin = `https?://${host.replaceAll('.', '\\.')}(?::\\d+)?`
  const ofMarkup = new RegExp(`(?:href|src|action|content|loc)(?:="|>)(?:${origin})?(/[^"#<>\\s]*)`, 'g')
  const ofText = new RegExp(`${origin}(/[^"'#<>\\s\\\\)]*)`, 'g')
  return [...text.matchAll(ofMarkup), ...text.matchAll(ofText), ...`${headers?.location ?? ''}`.matchAll(/^(\/.*)$/g)]
    .map(([, path]) => path!.replaceAll('&amp;', '&'))
    .filter((path) => !path.startsWith('//'))
}
