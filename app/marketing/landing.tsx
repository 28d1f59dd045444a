import { ArrowDown, AudioLines, Banknote, CalendarCheck, CreditCard, FolderOpen, ListChecks, Users } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import type { Icon } from '#app/ui/components/button.tsx'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ExampleSession, ExampleTask } from './landing-mockups.tsx'
import { PlanCard } from './plan-card.tsx'
import { pricingPlans, registerHref } from './pricing.ts'
import { Waveform } from './waveform.tsx'

const container = 'mx-auto w-full max-w-[76rem] px-5 sm:px-10'

/** The landing page of the platform. */
export function Landing({ year }: { year: number }) {
  const brand = useBrand()
  return (
    <div className="bg-surface">
      <header className={`${container} flex items-center gap-3 py-5`}>
        {brand && <BrandLockup brand={brand} large />}
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
        <Link className="btn btn-primary max-sm:hidden" to={registerHref()}>
          Get Started
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="outline-none">
        <Hero />
        <Sessions />
        <Features />
        <Pricing />
        <section className={`${container} mt-24 sm:mt-32`}>
          <div className="flex flex-wrap items-end justify-between gap-6 border-t border-line py-14">
            <h2 className="max-w-xl font-serif text-4xl text-balance">
              Your next session is on the calendar. Start there.
            </h2>
            <Link to={registerHref()} className="btn btn-primary btn-lg">
              Get Started Free
            </Link>
          </div>
        </section>
      </main>
      <footer className="border-t border-line">
        <div className={`${container} flex flex-wrap justify-between gap-3 py-7 text-sm text-ink-3`}>
          <span>
            © 2024{year > 2024 && `–${year}`} {brand?.platformName}. All rights reserved.
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
      <section className={`${container} pt-12 sm:pt-20`}>
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
              <Link to={registerHref()} className="btn btn-primary btn-lg">
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
      <section className={`${container} mt-12 sm:mt-14`} aria-label="The product">
        <Illustration
          label={
            "Today's sessions, the summary of a recorded session with its action items, " +
            "and a coach's booking page in the coach's own color"
          }
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
            <Waveform bars={58} className="mt-4 h-8 w-full" />
            <p className="prose-serif mt-4">
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
                    time === '8:45 AM'
                      ? 'border-brand-edge bg-brand-solid text-on-brand'
                      : 'border-line-mid text-brand-text'
                  }`}
                >
                  {time}
                </span>
              ))}
            </div>
          </div>
        </Illustration>
      </section>
    </>
  )
}

const aiFeatures = [
  {
    title: 'Auto-transcription',
    text: 'Sessions held on Zoom or Google Meet are transcribed as soon as the recording is ready.',
  },
  { title: 'Smart summaries', text: "Key takeaways and action items, in your client's own words." },
  {
    title: 'Seamless integration',
    text: 'Linked to the client record, searchable, and ready before the next session.',
  },
]

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

function Sessions() {
  return (
    <section
      id="sessions"
      className={`${container} mt-24 grid scroll-mt-8 gap-x-20 gap-y-10 sm:mt-32 lg:grid-cols-[1fr_1.05fr]`}
    >
      <div>
        <p className="eyebrow">AI session intelligence</p>
        <h2 className="mt-2 font-serif text-4xl text-balance">Be in the conversation. Read the summary after.</h2>
        <ol className="mt-8 border-b border-line">
          {aiFeatures.map((item, index) => (
            <li key={item.title} className="grid grid-cols-[2rem_1fr] border-t border-line py-5">
              <span className="num pt-0.5 text-sm text-ink-3">{index + 1}</span>
              <div>
                <h3 className="text-lg font-semibold">{item.title}</h3>
                <p className="mt-0.5 text-md text-ink-2">{item.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
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
    <section id="features" className={`${container} mt-24 scroll-mt-8 sm:mt-32`}>
      <h2 className="max-w-2xl font-serif text-4xl text-balance">Six things you will stop doing by hand.</h2>
      <div
        className={`mt-10 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2
          lg:grid-cols-3`}
      >
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
    <section id="pricing" className={`${container} mt-24 scroll-mt-8 sm:mt-32`}>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 className="font-serif text-4xl">Pricing</h2>
        <p className="text-md text-ink-3">Try Pro free for 14 days. No credit card required.</p>
      </div>
      <div className="mt-8 grid gap-px overflow-hidden rounded-2xl border border-line bg-line lg:grid-cols-3">
        {pricingPlans.map((plan) => (
          <PlanCard key={plan.plan} plan={plan} level="h3" badge={plan.plan === 'pro' ? 'Recommended' : undefined}>
            <Link
              to={registerHref(plan.plan)}
              className={`btn btn-lg ${plan.plan === 'pro' ? 'btn-primary' : 'btn-secondary'}`}
            >
              {plan.callToAction}
            </Link>
          </PlanCard>
        ))}
      </div>
    </section>
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
