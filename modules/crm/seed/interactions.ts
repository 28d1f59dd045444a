import type { Person } from './people.ts'
import { clientTexts } from './texts.ts'

/** An interaction of the demo practice. `content` is markup. */
type DemoInteraction = { name: string; content: string | null }
export type DatedInteraction = DemoInteraction & { daysAgo: number }

// Two variants of each sequence, so that neighbors in the list differ.
const firstCalls: [string, string][] = [
  [
    'Discovery call',
    'Thirty minutes by phone. Clear about what is wrong, less clear about the goal.\n' +
      'Sent the questions for the first session.',
  ],
  [
    'Discovery call',
    'Came through a referral. Asked good questions, mostly about me. ' +
      'Next: the first session, with **one page about a typical week**.',
  ],
]
const sessions: [string, string][][] = [
  [
    [
      'Weekly review',
      'Went through a typical week, hour by hour.\n' +
        '• Mornings are fine\n' +
        '• Everything after four belongs to others\n' +
        '**Until next time:** two evenings without the phone, and write down what comes up.',
    ],
    ['Email check-in', 'One of the two evenings worked. Replied: one is a start, keep the same evening.'],
    [
      'A recurring thought',
      'The list is short and has ==the same sentence three times==. Read it aloud; long silence.\n' +
        'We left it there on purpose.',
    ],
    ['First step', 'Took the first step without asking me. Mentioned it in passing, at the end, at the door.'],
  ],
  [
    [
      'Ten years on one page',
      'Drew the last ten years on one page. Two turns were decided by others; the third was not.\n' +
        '**Until next time:** who needs to be asked, and who only informed?',
    ],
    ['Rescheduled', 'Asked to move by a week because of a cold. Sent the second exercise instead.'],
    [
      'The unsent letter',
      'Brought the letter that won’t be sent.\n' +
        '• First half: anger\n' +
        '• Second half: plans\n' +
        'We kept the second half.',
    ],
    [
      'Goal review',
      'Reviewed the goals from day one. One is done, one has become smaller, one is ==no longer theirs==.',
    ],
  ],
]
const trainingSessions: [string, string][] = [
  [
    'First assessment',
    'Resting pulse, a six-minute walk, three questions about sleep. Sent a four-week plan the same evening.',
  ],
  ['Week 2', 'Two of three sessions done. The third was rained out; we moved it instead of dropping it.'],
  ['Week 6', 'Everything a little easier. **No heroics**: the plan stays as it is for another week.'],
  ['Sunday call', 'Ten minutes. Slept well, legs are fine, asks for more. Gets the same, and a rest day.'],
]
const fitnessPrograms = new Set(['Running from zero', 'Strong at fifty', 'Sleep and recovery'])

/** The interactions with a person, oldest first. The longer they have been a client, the more there are. */
export function interactionsWith(person: Person, lastDaysAgo: number): DatedInteraction[] {
  const own = clientTexts[person.name]?.interactions ?? []
  const span = person.days - lastDaysAgo
  if (person.status === 'pending') return own.map((interaction, index) => dated(interaction, person.days - index))
  const variant = charSum(person.name) % 2
  const isFitness = fitnessPrograms.has(person.program)
  const common = isFitness ? trainingSessions : [firstCalls[variant]!, ...sessions[variant]!]
  const commonCount = Math.max(1, Math.min(common.length, 1 + Math.floor(span / 25)))
  const all = [...common.slice(0, commonCount), ...own]
  const interval = all.length === 1 ? 0 : span / (all.length - 1)
  return all.map((interaction, index) => dated(interaction, Math.round(person.days - interval * index)))
}

const dated = ([name, content]: [string, string], daysAgo: number): DatedInteraction => ({
  name,
  content,
  daysAgo: Math.max(1, daysAgo),
})

const charSum = (name: string): number => [...name].reduce((sum, char) => sum + char.codePointAt(0)!, 0)
