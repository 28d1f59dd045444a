import { formatDateTime } from '#app/lib/time.ts'
import { formatBytes } from '#tenants/storage.ts'
import { listFields, readRecords, type ExportedKind, type Reader, type ReadableRecord } from './records.ts'
import type { StoredFileEntry } from './stored-files.ts'
import type { LeftOut } from './tables.ts'

// Pages that a browser shows from a folder: no scripts, no network. React renders the product's own pages; for thousands of
// these, outside of any request, `html` escapes every value.

const recordsPerPage = 100
const filesPerPage = 500
const maxRelated = 1000

/** HTML that is complete: `html` doesn't escape it again. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Value = Html | string | number | null | Value[]

const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((text, part, index) => text + toHtml(values[index - 1]!) + part))

const toHtml = (value: Value): string =>
  value === null
    ? ''
    : value instanceof Html
      ? value.text
      : Array.isArray(value)
        ? value.map(toHtml).join('')
        : String(value)
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;')
            .replaceAll('"', '&quot;')
            .replaceAll("'", '&#39;')

const style = new Html(`<style>
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.6rem}h2{font-size:1.1rem;margin:0}a{color:LinkText}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
article{border-top:1px solid GrayText;padding:1rem 0}
dl{display:grid;grid-template-columns:minmax(7rem,12rem) 1fr;gap:.25rem 1rem}
dt{opacity:.75}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}ul{padding-left:1.2rem}
</style>`)

/** `root`: the way to the folder of index.html. */
const page = (title: string, root: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
${style}
</head>
<body>
${root ? html`<p><a href="${root}index.html">All of the export</a></p>` : null}
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text

/** A relative address of a file in the archive. */
const toHref = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const pagePath = (name: string, number: number): string => `pages/${name}-${number}.html`

const pageLinks = (name: string, count: number, current: number): Html | null =>
  count < 2
    ? null
    : html`<nav aria-label="Pages">${Array.from({ length: count }, (_, index) =>
        index + 1 === current
          ? html`<b aria-current="page">${current}</b> `
          : html`<a href="${name}-${index + 1}.html">${index + 1}</a> `,
      )}</nav>`

/** The first ids of the pages of each kind, by which a record is found. */
export type PageIndex = Map<string, { count: number; firstIds: number[] }>

export async function readPageIndex(reader: Reader, kinds: ExportedKind[]): Promise<PageIndex> {
  const index: PageIndex = new Map()
  for (const { kind } of kinds) {
    const rows = await reader.query<{ id: number; count: number }>({
      name: `export.pages.${kind}`,
      text: `select id, count from (
          select r.id, row_number() over (order by r.id) as number, count(*) over ()::int as count
          from "${kind}" r where r.coach_id = $1) numbered
        where number % ${recordsPerPage} = 1 order by id`,
      values: [reader.coachId],
    })
    index.set(kind, { count: rows[0]?.count ?? 0, firstIds: rows.map(({ id }) => id) })
  }
  return index
}

function findPage(index: PageIndex, kind: string, id: number): number | null {
  const firstIds = index.get(kind)?.firstIds ?? []
  const after = firstIds.findIndex((first) => first > id)
  return (after < 0 ? firstIds.length : after) || null
}

const recordLink = (index: PageIndex, kind: string, id: number, title: string): Html => {
  const number = findPage(index, kind, id)
  return number === null ? html`${title}` : html`<a href="${kind}-${number}.html#r${id}">${title}</a>`
}

type Book = { index: PageIndex; kinds: ExportedKind[]; files: StoredFileEntry[] }
export type OfflinePage = { path: string; content: string }

/** The pages of a kind. */
export async function* writeKindPages(
  reader: Reader,
  kind: ExportedKind,
  { index, kinds, files }: Book,
  onRows: (count: number) => void,
): AsyncGenerator<OfflinePage> {
  const labels = listFields(kind)
  const filesOfKind = Map.groupBy(
    files.filter((file) => file.kind === kind.kind),
    ({ recordId }) => recordId,
  )
  const count = index.get(kind.kind)!.firstIds.length
  let number = 0
  for await (const records of readRecords(reader, kind, recordsPerPage)) {
    number++
    onRows(records.length)
    const related = await readRelated(reader, kind, kinds, records, index)
    const articles = records.map((record) =>
      formatRecord(reader, record, labels, {
        index,
        related: related.get(record.id) ?? [],
        files: filesOfKind.get(record.id) ?? [],
      }),
    )
    const links = pageLinks(kind.kind, count, number)
    yield {
      path: pagePath(kind.kind, number),
      content: page(kind.plural, '../', html`${links}${articles}${links}`),
    }
  }
}

function formatRecord(
  { account }: Reader,
  { id, title, addedAt, deletedAt, values }: ReadableRecord,
  labels: string[],
  { index, related, files }: { index: PageIndex; related: { label: string; link: Html }[]; files: StoredFileEntry[] },
): Html {
  const rows = values.flatMap(({ text, target }, at) =>
    text === null
      ? []
      : [html`<dt>${labels[at]!}</dt><dd>${target ? recordLink(index, target.kind, target.id, text) : text}</dd>`],
  )
  const groups = [...Map.groupBy(related, ({ label }) => label)].map(
    ([label, links]) => html`<dt>${label}</dt><dd>${links.map(({ link }, at) => html`${at ? '\n' : ''}${link}`)}</dd>`,
  )
  const links = files.map(({ path, name }) => html`<a href="../${toHref(path)}">${name}</a> `)
  const state = deletedAt ? html`<p>In the trash.</p>` : null
  const own = links.length ? html`<dt>Files</dt><dd>${links}</dd>` : null
  const added = html`<dt>Added</dt><dd>${formatDateTime(addedAt, account)}</dd>`
  return html`<article id="r${id}"><h2>${title}</h2>${state}<dl>${rows}${groups}${own}${added}</dl></article>\n`
}

/** Links to the records that refer to these, by id. */
async function readRelated(
  reader: Reader,
  kind: ExportedKind,
  kinds: ExportedKind[],
  records: ReadableRecord[],
  index: PageIndex,
): Promise<Map<number, { label: string; link: Html }[]>> {
  const related = new Map<number, { label: string; link: Html }[]>()
  for (const other of kinds) {
    for (const column of other.columns) {
      const label = other.fields[column]!
      if (typeof label !== 'object' || !('of' in label) || label.of !== kind.kind) continue
      const rows = await reader.query<{ id: number; title: string; target: number }>({
        name: `export.related.${other.kind}.${column}`,
        text: `select r.id, ${other.title} as title, r."${column}" as target from "${other.kind}" r
          where r.coach_id = $1 and r."${column}" = any($2::bigint[]) order by r.id limit ${maxRelated}`,
        values: [reader.coachId, records.map(({ id }) => id)],
      })
      for (const { id, title, target } of rows) {
        const links = related.get(target) ?? []
        related.set(target, links)
        links.push({ label: other.plural, link: recordLink(index, other.kind, id, title) })
      }
    }
  }
  return related
}

export type ListedFile = { path: string; name: string; size: number }

/** Lists of files: `name` is that of the pages. */
export function* writeFilePages(name: 'files' | 'documents', files: ListedFile[]): Generator<OfflinePage> {
  const title = name === 'files' ? 'Files' : 'Documents'
  const count = Math.ceil(files.length / filesPerPage)
  for (let number = 1; number <= count; number++) {
    const shown = files.slice((number - 1) * filesPerPage, number * filesPerPage)
    const links = pageLinks(name, count, number)
    const items = shown.map(
      (file) => html`<li><a href="../${toHref(file.path)}">${file.name}</a>, ${formatBytes(file.size)}</li>`,
    )
    yield { path: pagePath(name, number), content: page(title, '../', html`${links}<ul>${items}</ul>${links}`) }
  }
}

export type Overview = {
  name: string
  exportedAt: Date
  index: PageIndex
  kinds: ExportedKind[]
  /** How many there are. */
  lists: { name: 'files' | 'documents'; title: string; count: number }[]
  /** Paths of CSV files. */
  csv: string[]
  leftOut: LeftOut[]
}

/** index.html */
export function writeOverview(
  { account }: Reader,
  { name, exportedAt, index, kinds, lists, csv, leftOut }: Overview,
): string {
  const pages = [
    ...kinds.map(({ kind, plural }) => ({ name: kind, title: plural, count: index.get(kind)!.count })),
    ...lists,
  ].filter(({ count }) => count > 0)
  const toLink = (path: string) => html`<li><a href="${toHref(path)}">${path.replace(/^.*\//, '')}</a></li>`
  const isTable = (path: string) => path.startsWith('csv/tables/')
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)]
  return page(
    name,
    '',
    html`<p>Everything of this practice, as of ${formatDateTime(exportedAt, account)}.</p>
<h2>Records</h2>
<ul>${pages.map((list) => html`<li><a href="${pagePath(list.name, 1)}">${list.title}</a> (${list.count})</li>`)}</ul>
<h2>Spreadsheets</h2>
<ul>${csv.filter((path) => !isTable(path)).map(toLink)}</ul>
<details><summary>Spreadsheets of all other tables</summary><ul>${csv.filter(isTable).map(toLink)}</ul></details>
<h2>For programs</h2>
<p>The folder <code>data</code> has every row as JSON, one line each, and <code>manifest.json</code> lists all files
with their checksums. An installation of the same version takes the archive in as it is.</p>
<h2>Left out</h2>
<ul>${reasons.map(([reason, all]) => html`<li>${reason}: ${all.map(({ name }) => name).join(', ')}</li>`)}</ul>`,
  )
}
