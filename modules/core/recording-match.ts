type Times = { startTime: Date; endTime: Date }
type Person = { name: string; email: string | null }

/** Whether they share at least half of the shorter one. */
export function overlapsMostly(a: Times, b: Times): boolean {
  const length = ({ startTime, endTime }: Times) => endTime.getTime() - startTime.getTime()
  const shared =
    Math.min(a.endTime.getTime(), b.endTime.getTime()) - Math.max(a.startTime.getTime(), b.startTime.getTime())
  return shared > 0 && shared * 2 >= Math.min(length(a), length(b))
}

/** Whether both have the same email address or, in any case and without accents, the same name. */
export function isSamePerson(a: Person, b: Person): boolean {
  const hasSameEmail = a.email !== null && b.email !== null && a.email.toLowerCase() === b.email.toLowerCase()
  return hasSameEmail || (fold(a.name) !== '' && fold(a.name) === fold(b.name))
}

const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s,.]+/)
    .filter(Boolean)
    .sort()
    .join(' ')
