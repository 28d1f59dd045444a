import { ArrowDown, AudioLines, Banknote, CalendarCheck, CreditCard, FolderOpen, ListChecks, Users } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import type { Icon } from '#app/ui/components/button.tsx'
import { Check } from '#app/ui/components/icons.tsx'
import { Signature, useIdentity } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ExampleSession, ExampleTask } from './landing-mockups.tsx'
import { offers } from './pricing.ts'
import { Wave } from './waveform.tsx'

const register = '/auth?tab=register'
const width = 'mx-auto w-full max-w-[76rem] px-5 sm:px-10'

/** What the platform is, for a coach who doesn't have it yet. */
export function Landing({ year }: { year: number }) {
  const identity = useIdentity()
  return (
    <div className="bg-surface">
      <header className={`${width} flex items-center gap-3 py-5`}>
        {identity && <Signature identity={identity} large />}
        <span className="flex-1" />
        <nav aria-label="On this page" className="mr-3 hidden gap-7 font-medium text-ink-2 md:flex">
          <a className="hover:text-ink" href="#sessions">
            Sessions
          </a>
          <a className="hover:text-ink" href="#features">
            Features
          </a>
          <a className="hover:text-ink" href="#pricing">
            Pricing
          </a>
        </nav>
        <Link className="btn btn-ghost" to="/auth">
          Sign In
        </Link>
        <Link className="btn btn-primary max-sm:hidden" to={register}>
          Get Started
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="outline-none">
        <Hero />
        <Sessions />
        <Features />
        <Pricing />
        <section className={`${width} mt-24 sm:mt-32`}>
          <div className="flex flex-wrap items-end justify-between gap-6 border-t border-line py-14">
            <h2 className="max-w-xl font-serif text-4xl text-balance">
              Your next session is on the calendar. Start there.
            </h2>
            <Link to={register} className="btn btn-primary btn-lg">
              Get Started Free
            </Link>
          </div>
        </section>
      </main>
      <footer className="border-t border-line">
        <div className={`${width} flex flex-wrap justify-between gap-3 py-7 text-sm text-ink-3`}>
          <span>
            © 2024{year > 2024 && `–${year}`} {identity?.platformName}. All rights reserved.
          </span>
          <Link className="hit hover:text-ink" to="/auth">
            Sign In
          </Link>
        </div>
      </footer>
    </div>
  )
}

function Hero() {
  return (
    <>
      <section className={`${width} pt-12 sm:pt-20`}>
        <h1 className="max-w-[52rem] font-serif text-4xl text-balance sm:text-6xl">
          Everything around the session, taken care of.
        </h1>
        <div className="mt-6 flex flex-wrap items-end justify-between gap-x-12 gap-y-6">
          <p className="max-w-[33rem] text-lg text-ink-2">
            Clients, bookings, payments and session notes for independent coaches, in one quiet place that carries your
            name.
          </p>
          <div>
            <div className="flex flex-wrap gap-2.5">
              <Link to={register} className="btn btn-primary btn-lg">
                Get Started Free
              </Link>
              <a href="#sessions" className="btn btn-secondary btn-lg">
                See a session summary
              </a>
            </div>
            <p className="mt-2.5 text-sm text-ink-3">Free for your first client. No credit card required.</p>
          </div>
        </div>
      </section>
      <section className={`${width} mt-12 sm:mt-14`} aria-label="The product">
        <Picture
          of="Today's sessions, the summary of a recorded session with its action items, and a coach's booking page in the coach's own color"
          className="grid gap-4 rounded-2xl border border-line bg-canvas p-4 sm:p-6 lg:grid-cols-[1.08fr_1.12fr_0.9fr]"
        >
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
          <div className="card p-6">
            <div className="flex items-center gap-3">
              <Avatar name="Priya Raghunathan" />
              <span className="flex-1">
                <span className="block font-semibold">Career transition, session 5</span>
                <span className="block text-sm text-ink-3">Priya Raghunathan</span>
              </span>
              <span className="num text-sm text-ink-3">54 min</span>
            </div>
            <Wave bars={58} className="mt-4 h-8 w-full" />
            <p className="words mt-4">
              She is no longer deciding between two jobs. She is deciding whether she may want the one she has already
              chosen.
            </p>
            <ul className="mt-4 grid gap-2 border-t border-line-soft pt-4">
              <ExampleTask done>Draft the resignation letter</ExampleTask>
              <ExampleTask>Ask Dana for the honest reference</ExampleTask>
            </ul>
          </div>
          <div className="card flex flex-col p-6" data-brand style={{ '--brand': '#8a2b5b' } as CSSProperties}>
            <div className="flex items-center gap-2.5">
              <span className="tile">
                <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.1" strokeLinecap="round">
                  <path d="M4 18c4 0 5-12 10-12 3.500 0 5 2.500 5 5 0 2-1.500 3.500-3.300 3.500-1.500 0-2.700-1-2.700-2.500" />
                </svg>
              </span>
              <span className="font-semibold">Groundswell</span>
            </div>
            <p className="mt-4 font-serif text-2xl text-balance">For the year you stop performing.</p>
            <div className="num mt-auto grid grid-cols-2 gap-1.5 pt-5 text-center text-sm font-medium">
              {['8:00 AM', '8:45 AM', '10:15 AM', '1:00 PM'].map((time) => (
                <span
                  key={time}
                  className={`rounded-md border py-2 ${time === '8:45 AM' ? 'border-brand-edge bg-brand-solid text-on-brand' : 'border-line-mid text-brand-text'}`}
                >
                  {time}
                </span>
              ))}
            </div>
          </div>
        </Picture>
      </section>
    </>
  )
}

const intelligence = [
  {
    title: 'Auto-transcription',
    text: 'Sessions held on Zoom or Google Meet are transcribed as soon as the recording is ready.',
  },
  { title: 'Smart summaries', text: 'Key takeaways and action items, in the words that were used.' },
  {
    title: 'Seamless integration',
    text: 'Linked to the client record, searchable, and there before the next session.',
  },
]

const transcript = [
  { at: '31:07', who: 'Amara', says: 'What would make it allowed?' },
  { at: '31:12', who: 'Priya', says: 'If someone said it was fine. My boss. My father, probably.' },
  { at: '31:40', who: 'Amara', says: 'And if nobody does?' },
  {
    at: '31:58',
    who: 'Priya',
    says: 'Then I am waiting for permission that nobody is going to give me.',
    marked: true,
  },
]

function Sessions() {
  return (
    <section
      id="sessions"
      className={`${width} mt-24 grid scroll-mt-8 gap-x-20 gap-y-10 sm:mt-32 lg:grid-cols-[1fr_1.05fr]`}
    >
      <div>
        <p className="eyebrow">AI session intelligence</p>
        <h2 className="mt-2 font-serif text-4xl text-balance">Be in the conversation. Read the summary after.</h2>
        <ol className="mt-8 border-b border-line">
          {intelligence.map((item, at) => (
            <li key={item.title} className="grid grid-cols-[2rem_1fr] border-t border-line py-5">
              <span className="num pt-0.5 text-sm text-ink-3">{at + 1}</span>
              <div>
                <h3 className="text-lg font-semibold">{item.title}</h3>
                <p className="mt-0.5 text-md text-ink-2">{item.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <Picture
        of="Four lines of a transcript; from the last one come a key takeaway and an action item with its date"
        className="self-center rounded-2xl border border-line bg-canvas p-5 sm:p-7"
      >
        <div className="grid gap-2.5 text-ink-2">
          {transcript.map(({ at, who, says, marked }) => (
            <p key={at} className="grid grid-cols-[3rem_1fr] gap-x-2">
              <span className="num pt-0.5 text-xs text-ink-3">{at}</span>
              <span className={who === 'Amara' ? 'text-ink-3' : ''}>
                <span className="font-semibold">{who}</span> {marked ? <mark>{says}</mark> : says}
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
          <p className="words mt-1">Waiting for approval is the pattern, at work and at home.</p>
          <p className="mt-4 text-sm font-semibold text-ink-2">Action items</p>
          <p className="mt-1 flex justify-between gap-4">
            <span>Write down what “enough” is, in numbers</span>
            <span className="text-ink-3">Mar 17</span>
          </p>
        </div>
      </Picture>
    </section>
  )
}

const features: { icon: Icon; title: string; text: string }[] = [
  {
    icon: Users,
    title: 'Client Management',
    text: 'Intake forms, notes, goals and history on one page for every client.',
  },
  {
    icon: CalendarCheck,
    title: 'Appointment Booking',
    text: 'Your page, your hours. Synced with Google Calendar, with reminders.',
  },
  {
    icon: CreditCard,
    title: 'Secure Payments',
    text: 'One-time and recurring card payments. The invoice writes itself.',
  },
  {
    icon: AudioLines,
    title: 'AI Session Summaries',
    text: 'Every recorded session becomes takeaways and action items.',
  },
  {
    icon: FolderOpen,
    title: 'Resource Sharing',
    text: 'Materials and contracts, shared with one client or with all of them.',
  },
  { icon: ListChecks, title: 'Progress Tracking', text: 'Checklists and milestones that both of you can see.' },
]

function Features() {
  return (
    <section id="features" className={`${width} mt-24 scroll-mt-8 sm:mt-32`}>
      <h2 className="max-w-2xl font-serif text-4xl text-balance">Six things you will stop doing by hand.</h2>
      <div className="mt-10 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {features.map((feature) => (
          <div key={feature.title} className="bg-surface p-6 sm:p-8">
            <feature.icon className="i !size-5 text-brand-text" />
            <h3 className="mt-4 text-lg font-semibold">{feature.title}</h3>
            <p className="mt-1 text-md text-ink-2">{feature.text}</p>
          </div>
        ))}
      </div>
    </section>
  )
}

function Pricing() {
  return (
    <section id="pricing" className={`${width} mt-24 scroll-mt-8 sm:mt-32`}>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 className="font-serif text-4xl">Pricing</h2>
        <p className="text-md text-ink-3">Try Pro free for 14 days. No credit card required.</p>
      </div>
      <div className="mt-8 grid gap-px overflow-hidden rounded-2xl border border-line bg-line lg:grid-cols-3">
        {offers.map((offer) => (
          <div key={offer.plan} className="flex flex-col bg-surface p-6 sm:p-8">
            <div className="flex items-center gap-2.5">
              <h3 className="text-lg font-semibold">{offer.title}</h3>
              {offer.plan === 'pro' && (
                <Badge tone="brand" plain>
                  Recommended
                </Badge>
              )}
            </div>
            <p className="mt-3 flex items-baseline gap-1.5">
              <span className="num font-serif text-4xl">{offer.price}</span>
              <span className="text-ink-3">per month</span>
            </p>
            <p className="mt-1 text-ink-3">{offer.forWhom}</p>
            <ul className="mb-8 mt-6 grid gap-2.5 text-md">
              {offer.includes.map((line) => (
                <li key={line} className="flex gap-2.5">
                  <Check className="i mt-1 text-brand-text" />
                  <span>{line}</span>
                </li>
              ))}
            </ul>
            <Link
              to={register}
              className={`btn btn-lg mt-auto ${offer.plan === 'pro' ? 'btn-primary' : 'btn-secondary'}`}
            >
              {offer.call}
            </Link>
          </div>
        ))}
      </div>
    </section>
  )
}

/** Shows what the product looks like; for a screen reader it is one picture with a sentence. */
function Picture({ of, className, children }: { of: string; className: string; children: ReactNode }) {
  return (
    <div role="img" aria-label={of} className={className}>
      {children}
    </div>
  )
}
