import { AudioLines, CalendarCheck, CreditCard, FolderOpen, ListChecks, Users } from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ProductIllustration, TranscriptIllustration } from './landing-illustrations.tsx'
import { PlanCard } from './plan-card.tsx'
import { pricingPlans, registerHref } from './pricing.ts'

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
        <ProductIllustration />
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
      <TranscriptIllustration />
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
