import type { Person } from './people.ts'
import { wordsOf } from './texts.ts'

/** What the coach noted after a contact, in light markup. */
type Contact = { name: string; content: string | null }
export type DatedContact = Contact & { daysAgo: number }

// What such work has in common, in its order. Two sets, so that two neighbours in the list differ.
const first: [string, string][] = [
  [
    'Discovery call',
    'Thirty minutes by phone. Knows what is wrong sooner than what is wanted.\nSent the questions for the first session.',
  ],
  [
    'Discovery call',
    'Came by recommendation. Asked good questions, mostly about me. Next: the first session, with **one page about an ordinary week**.',
  ],
]
const work: [string, string][][] = [
  [
    [
      'An ordinary week',
      'Went through an ordinary week, hour by hour.\n• Mornings are fine\n• Everything after four belongs to others\n**Until next time:** two evenings without the phone, and write down what came up.',
    ],
    ['Mail in between', 'One of the two evenings worked. Answered: one is a beginning, keep the same evening.'],
    [
      'The same sentence',
      'The list of what came up is short and ==the same sentence three times==. Read it aloud; long silence.\nWe left it there on purpose.',
    ],
    ['The first step', 'First step taken without asking me before. Told it in passing, at the end, by the door.'],
  ],
  [
    [
      'Ten years on one sheet',
      'Drew the last ten years on one sheet. Two turns were decided by others; the third was not.\n**Until next time:** who would have to be asked, and who only informed?',
    ],
    ['Postponed', 'Asked to move by a week; a cold. Sent the second exercise instead.'],
    [
      'The letter',
      'Brought the letter that is not to be sent.\n• First half: anger\n• Second half: plans\nWe kept the second half.',
    ],
    [
      'Review',
      'Looked at the goals of the first day. One is done, one has become smaller, one is ==no longer theirs==.',
    ],
  ],
]
const training: [string, string][] = [
  [
    'First assessment',
    'Resting pulse, a walk of six minutes, three questions about sleep. Plan for four weeks sent the same evening.',
  ],
  ['Week 2', 'Two of three sessions done. The third fell on a day with rain; we moved it, not dropped it.'],
  ['Week 6', 'Everything a little easier. **No heroics**: the plan stays as it is for another week.'],
  ['Sunday call', 'Ten minutes. Slept well, legs are fine, asks for more. Gets the same, and a rest day.'],
]
const programsOfTraining = new Set(['Running from zero', 'Strong at fifty', 'Sleep and recovery'])

/** What was noted about a person, oldest first: from the day they came to the last session, more of it the longer they stay. */
export function contactsWith(person: Person, lastDaysAgo: number): DatedContact[] {
  const own = wordsOf[person.name]?.contacts ?? []
  const span = person.days - lastDaysAgo
  if (person.status === 'pending') return own.map((contact, at) => dated(contact, person.days - at))
  const set = sumOf(person.name) % 2
  const common = programsOfTraining.has(person.program) ? training : [first[set]!, ...work[set]!]
  // Everybody's story begins in the same way and ends with what is theirs alone.
  const room = Math.max(1, Math.min(common.length, 1 + Math.floor(span / 25)))
  const story = [...common.slice(0, room), ...own]
  return story.map((contact, at) =>
    dated(contact, Math.round(person.days - (story.length === 1 ? 0 : (span * at) / (story.length - 1)))),
  )
}

const dated = ([name, content]: [string, string], daysAgo: number): DatedContact => ({
  name,
  content,
  daysAgo: Math.max(1, daysAgo),
})

const sumOf = (name: string): number => [...name].reduce((sum, sign) => sum + sign.codePointAt(0)!, 0)
