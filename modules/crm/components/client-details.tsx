import { CloudLightning, History, ShieldAlert, Sunrise } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Icon } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'

/** Who the client is. */
export function ClientInformation({
  id,
  email,
  phone,
  location,
  profession,
  theirTime,
  since,
  links,
}: {
  id: number
  email: string
  phone: string | null
  location: string | null
  profession: string | null
  theirTime: string | null
  since: string
  /** Where else they are shown. */
  links: { label: string; to: string }[]
}) {
  return (
    <section className="card px-5 pb-2 pt-4" aria-labelledby="information">
      <h2 id="information" className="h2 mb-1">
        Client Information
      </h2>
      <dl className="rows">
        <Fact label="Email">
          <a className="link" href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
            {email}
          </a>
        </Fact>
        <Fact label="Phone">{phone && <span className="num">{phone}</span>}</Fact>
        <Fact label="Location">{location}</Fact>
        <Fact label="Profession">{profession}</Fact>
        <Fact label="Timezone">{theirTime}</Fact>
        <Fact label="Client since">{since}</Fact>
      </dl>
      <p className="-mx-5 flex flex-wrap gap-x-4 border-t border-line-soft px-5 pb-1 pt-2.5">
        {links.map(({ label, to }) => (
          <Link key={to} to={to} className="link text-sm">
            {label}
          </Link>
        ))}
        <Link to={`/history/client/${id}`} className="link text-sm">
          History
        </Link>
      </p>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children || '–'}</dd>
    </div>
  )
}

type Words = {
  goals: string | null
  notes: string | null
  futureGoals: string | null
  frustrations: string | null
  fears: string | null
  failures: string | null
}

/** What the coach wrote down: goals, notes, and the four Fs. */
export function ClientWords({
  goals,
  notes,
  futureGoals,
  frustrations,
  fears,
  failures,
  edited,
}: Words & { edited: string }) {
  return (
    <>
      <section className="card px-5 pb-5 pt-4" aria-labelledby="goals">
        <h2 id="goals" className="h2 mb-1.5">
          Client Goals
        </h2>
        <Written
          text={goals}
          className="!text-[1.1875rem] !leading-7"
          empty="What do they want to be different? Write it down together in the first session."
        />
      </section>
      <section className="card px-5 pb-5 pt-4" aria-labelledby="notes">
        <div className="mb-2 flex items-center justify-between gap-3">
          <h2 id="notes" className="h2">
            Session Notes & Observations
          </h2>
          {notes && <span className="shrink-0 text-sm text-ink-3">Edited {edited}</span>}
        </div>
        <Written text={notes} empty="No notes yet." />
      </section>
      <section className="card overflow-hidden" aria-labelledby="four">
        <h2 id="four" className="h2 px-5 py-3.5">
          4Fs Assessment Framework
        </h2>
        <div className="grid gap-px border-t border-line-soft bg-line-soft sm:grid-cols-2">
          <Quarter title="Future Goals" icon={Sunrise} text={futureGoals} />
          <Quarter title="Frustrations" icon={CloudLightning} text={frustrations} />
          <Quarter title="Fears" icon={ShieldAlert} text={fears} />
          <Quarter title="Past Failures" icon={History} text={failures} />
        </div>
      </section>
    </>
  )
}

function Quarter({ title, icon: Sign, text }: { title: string; icon: Icon; text: string | null }) {
  return (
    <div className="min-w-0 bg-surface p-5">
      <h3 className="mb-1.5 flex items-center gap-2 text-sm font-semibold text-ink-2">
        <Sign className="i !size-3.5 text-ink-3" />
        {title}
      </h3>
      <Written text={text} empty="–" />
    </div>
  )
}

function Written({ text, empty, className = '' }: { text: string | null; empty: string; className?: string }) {
  return text ? (
    <RichText source={text} className={`max-w-prose ${className}`} />
  ) : (
    <p className="text-ink-3">{empty}</p>
  )
}
