import type { Person } from './people.ts'

/** What a coach noted after a contact, in light markup. */
type Contact = { name: string; content: string }
export type DatedContact = Contact & { daysAgo: number }

// In the order in which such work goes. Each client gets those of their program, from the first call on.
const arcs: Record<string, Contact[]> = {
  default: [
    { name: 'Discovery call', content: 'Thirty minutes by phone. Knows what is wrong sooner than what is wanted.\nSent the questions for the first session.' },
    { name: 'Session 1', content: 'Went through an ordinary week, hour by hour.\n• Mornings are fine\n• Everything after four belongs to others\n**Until next time:** two evenings without the phone, and write down what came up.' },
    { name: 'Mail in between', content: 'One of the two evenings worked. Answered: one is a beginning, keep the same evening.' },
    { name: 'Session 2', content: 'The list of what came up is short and ==the same sentence three times==. Read it aloud; long silence.\nWe left it there on purpose.' },
    { name: 'Session 3', content: 'First step taken without asking me before. Told it in passing, at the end, by the door.' },
  ],
}

/** What was noted about a person: spread from the day they came to the last session, oldest first. */
export function contactsWith(person: Person, lastDaysAgo: number): DatedContact[] {
  const arc = arcs[person.program] ?? arcs.default!
  const span = person.days - lastDaysAgo
  const count = person.status === 'pending' ? 1 : Math.max(1, Math.min(arc.length, 1 + Math.floor(span / 18)))
  return arc.slice(0, count).map((contact, at) => ({ ...contact, daysAgo: Math.round(person.days - (count === 1 ? 0 : (span * at) / (count - 1))) }))
}
