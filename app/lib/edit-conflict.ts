import { fingerprint } from './fingerprint.ts'

// Of two tabs that save, the second compares three states of each field: as it was opened, as it was typed here, and as it was
// saved there. The form sends prints of the first along, so this works before scripts have loaded, too.

export type Texts<Name extends string> = Record<Name, string>
export type Side = 'mine' | 'theirs'
export type Differing<Name extends string> = {
  name: Name
  mine: string
  theirs: string /** What counts unless one chooses. */
  first: Side
}

/** What `texts` is known by when the form comes back. */
export function printsOf<Name extends string>(names: readonly Name[], texts: Texts<Name>): string {
  return names.map((name) => fingerprint(texts[name])).join(' ')
}

/** The fields that differ. What was not touched here is taken from there; what both changed stays as typed here. */
export function differences<Name extends string>(
  names: readonly Name[],
  opened: string,
  mine: Texts<Name>,
  theirs: Texts<Name>,
): Differing<Name>[] {
  const prints = opened.split(' ')
  return names.flatMap((name, at) => {
    if (mine[name] === theirs[name]) return []
    const untouched = fingerprint(mine[name]) === prints[at]
    return [{ name, mine: mine[name], theirs: theirs[name], first: untouched ? 'theirs' : 'mine' }]
  })
}

/** The name of the choice between the two texts of a field. */
export const choiceOf = (name: string): string => `take-${name}`

/** Leaves out what was chosen to stay as it was saved there. */
export function chosen<Input extends object>(input: Input, form: FormData): Partial<Input> {
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => form.get(choiceOf(name)) !== 'theirs'),
  ) as Partial<Input>
}

export type Parts = { before: string; mine: string; theirs: string; after: string }

/** Where two texts differ, with a little of what they share around it. */
export function differenceOf(mine: string, theirs: string, around = 60): Parts {
  const [a, b] = [[...mine], [...theirs]]
  const most = Math.min(a.length, b.length)
  let begin = 0
  while (begin < most && a[begin] === b[begin]) begin++
  let end = 0
  while (end < most - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const before = a.slice(0, begin)
  const after = end ? a.slice(-end) : []
  return {
    before: before.length > around ? `…${before.slice(-around).join('')}` : before.join(''),
    mine: a.slice(begin, a.length - end).join(''),
    theirs: b.slice(begin, b.length - end).join(''),
    after: after.length > around ? `${after.slice(0, around).join('')}…` : after.join(''),
  }
}

/** As a form holds it: line breaks are line feeds, and nothing is an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll('\r\n', '\n') : ''
}
