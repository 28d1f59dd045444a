import type { ActionOwner, SessionContext } from '../types.ts'
import { toWords } from './wording.ts'

export type RoleFinder = (speaker: string | null) => ActionOwner | null

/** Finds out by name which speaker is the coach. Of two speakers, the other one is the client, and the reverse. */
export function createRoleFinder(speakers: (string | null)[], session: SessionContext): RoleFinder {
  const names = [...new Set(speakers.filter((speaker) => speaker !== null))]
  const roles = new Map(names.map((name) => [name, matchRole(name, session)]))
  if (names.length === 2)
    for (const [name, other] of [names, names.toReversed()] as [string, string][]) {
      const known = roles.get(other)
      if (roles.get(name) === null && known) roles.set(name, known === 'coach' ? 'client' : 'coach')
    }
  return (speaker) => (speaker === null ? null : (roles.get(speaker) ?? null))
}

function matchRole(speaker: string, { coachName, clientName }: SessionContext): ActionOwner | null {
  const words = toWords(speaker)
  const isCoach = words.includes('coach') || sharesName(words, toWords(coachName))
  const isClient = words.includes('client') || sharesName(words, toWords(clientName))
  return isCoach === isClient ? null : isCoach ? 'coach' : 'client'
}

/** The whole name, or the first name alone. */
const sharesName = (speaker: string[], name: string[]): boolean =>
  name.length > 0 && (speaker.length === 1 ? speaker[0] === name[0] : name.every((word) => speaker.includes(word)))
