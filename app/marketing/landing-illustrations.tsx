import { ArrowDown, Banknote } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { ExampleSession, ExampleTask } from './landing-mockups.tsx'
import { Waveform } from './waveform.tsx'

/** Today's sessions, the summary of a session and a booking page. */
export function ProductIllustration() {
  return (
    <Illustration
      label={
        "Today's sessions, the summary of a recorded session with its action items, " +
        "and a coach's booking page in the coach's own color"
      }
      className="grid gap-4 rounded-2xl border border-line bg-canvas p-4 sm:p-6 lg:grid-cols-[1.08fr_1.12fr_0.9fr]"
    >
      <Today />
      <Summary />
      <BookingPage />
    </Illustration>
  )
}

function Today() {
  return (
    <div className="grid content-start gap-4">
      <div className="card overflow-hidden">
        <div className="card-head">
          <span className="h2">Today's Schedule</span>
          <span className="text-sm text-ink-3">Tue, Mar 10</span>
        </div>
        <ul className="rows border-t border-line-soft">
          <ExampleSession time="9:00 AM" title="Board prep" client="Zeynep Şahin" status="Completed" />
          <ExampleSession time="10:30 AM" title="Session 6" client="Priya Raghunathan" status="Confirmed" />
          <ExampleSession time="3:30 PM" title="Week 9" client="Kwame Mensah" status="Confirmed" />
        </ul>
      </div>
      <div className="card flex items-center gap-4 px-5 py-4">
        <span className="grid size-9 place-items-center rounded-full bg-success-soft text-success-text">
          <Banknote className="i" />
        </span>
        <span className="flex-1">
          <span className="block font-semibold">Payment received</span>
          <span className="block text-sm text-ink-3">Kwame Mensah, 4 of 6</span>
        </span>
        <span className="num text-lg font-semibold">$600.00</span>
      </div>
    </div>
  )
}

function Summary() {
  return (
    <div className="card p-6">
      <div className="flex items-center gap-3">
        <Avatar name="Priya Raghunathan" />
        <span className="flex-1">
          <span className="block font-semibold">Career transition, session 5</span>
          <span className="block text-sm text-ink-3">Priya Raghunathan</span>
        </span>
        <span className="num text-sm text-ink-3">54 min</span>
      </div>
      <Waveform bars={58} className="mt-4 h-8 w-full" />
      <p className="prose-serif mt-4">
        She is no longer deciding between two jobs. She is deciding whether she may want the one she has already chosen.
      </p>
      <ul className="mt-4 grid gap-2 border-t border-line-soft pt-4">
        <ExampleTask done>Draft the resignation letter</ExampleTask>
        <ExampleTask>Ask Dana for the honest reference</ExampleTask>
      </ul>
    </div>
  )
}

function BookingPage() {
  return (
    <div className="card flex flex-col p-6" data-brand style={{ '--brand': '#8a2b5b' } as CSSProperties}>
      <div className="flex items-center gap-2.5">
        <span className="tile">
          <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.1" strokeLinecap="round">
            <path d="M4 18c4 0 5-12 10-12 3.5 0 5 2.5 5 5 0 2-1.5 3.5-3.3 3.5-1.5 0-2.7-1-2.7-2.5" />
          </svg>
        </span>
        <span className="font-semibold">Groundswell</span>
      </div>
      <p className="mt-4 font-serif text-2xl text-balance">For the year you stop performing.</p>
      <div className="num mt-auto grid grid-cols-2 gap-1.5 pt-5 text-center text-sm font-medium">
        {['8:00 AM', '8:45 AM', '10:15 AM', '1:00 PM'].map((time) => (
          <span
            key={time}
            className={`rounded-md border py-2 ${
              time === '8:45 AM' ? 'border-brand-edge bg-brand-solid text-on-brand' : 'border-line-mid text-brand-text'
            }`}
          >
            {time}
          </span>
        ))}
      </div>
    </div>
  )
}

const transcript = [
  { time: '31:07', speaker: 'Amara', text: 'What would make it allowed?' },
  { time: '31:12', speaker: 'Priya', text: 'If someone said it was fine. My boss. My father, probably.' },
  { time: '31:40', speaker: 'Amara', text: 'And if nobody does?' },
  {
    time: '31:58',
    speaker: 'Priya',
    text: 'Then I am waiting for permission that nobody is going to give me.',
    highlighted: true,
  },
]

export function TranscriptIllustration() {
  return (
    <Illustration
      label="Four lines of a transcript, and the key takeaway and action item from the last one"
      className="self-center rounded-2xl border border-line bg-canvas p-5 sm:p-7"
    >
      <div className="grid gap-2.5 text-ink-2">
        {transcript.map(({ time, speaker, text, highlighted }) => (
          <p key={time} className="grid grid-cols-[3rem_1fr] gap-x-2">
            <span className="num pt-0.5 text-xs text-ink-3">{time}</span>
            <span className={speaker === 'Amara' ? 'text-ink-3' : ''}>
              <span className="font-semibold">{speaker}</span> {highlighted ? <mark>{text}</mark> : text}
            </span>
          </p>
        ))}
      </div>
      <div className="my-5 flex items-center gap-3 text-sm text-ink-3">
        <span className="h-px flex-1 bg-line" />
        <ArrowDown className="i" />
        <span className="h-px flex-1 bg-line" />
      </div>
      <div className="card p-5">
        <p className="text-sm font-semibold text-ink-2">Key takeaways</p>
        <p className="prose-serif mt-1">Waiting for approval is the pattern, at work and at home.</p>
        <p className="mt-4 text-sm font-semibold text-ink-2">Action items</p>
        <p className="mt-1 flex justify-between gap-4">
          <span>Write down what “enough” is, in numbers</span>
          <span className="text-ink-3">Mar 17</span>
        </p>
      </div>
    </Illustration>
  )
}

/** A mock-up that screen readers announce as one image. */
function Illustration({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <div role="img" aria-label={label} className={className}>
      {children}
    </div>
  )
}
