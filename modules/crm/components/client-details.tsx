import { CloudLightning, History, ShieldAlert, Sunrise } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Icon as IconComponent } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import { clientFields } from '../fields.ts'
import { clientsUrl } from '../list-state.ts'

export function ClientInformation({
  id,
  email,
  phone,
  location,
  profession,
  localTime,
  clientSince,
  tags,
  links,
}: {
  id: number
  email: string
  phone: string | null
  location: string | null
  profession: string | null
  localTime: string | null
  clientSince: string
  tags: string[]
  links: { label: string; to: string }[]
}) {
  return (
    <section className="card px-5 pb-2 pt-4" aria-labelledby="information">
      <h2 id="information" className="h2 mb-1">
        Client Information
      </h2>
      <dl className="rows">
        <DetailRow label={clientFields.email.label}>
          <a className="link" href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
            {email}
          </a>
        </DetailRow>
        <DetailRow label={clientFields.phone.label}>{phone && <span className="num">{phone}</span>}</DetailRow>
        <DetailRow label={clientFields.location.label}>{location}</DetailRow>
        <DetailRow label={clientFields.profession.label}>{profession}</DetailRow>
        <DetailRow label={clientFields.timezone.label}>{localTime}</DetailRow>
        <DetailRow label="Client since">{clientSince}</DetailRow>
        <DetailRow label={clientFields.tags.label}>
          {tags.length > 0 && (
            <span className="flex flex-wrap justify-end gap-1.5">
              {tags.map((tag) => (
                <Link key={tag} to={clientsUrl.href({ tag })} className="badge badge-plain max-w-full hover:text-ink">
                  <span className="truncate">{tag}</span>
                </Link>
              ))}
            </span>
          )}
        </DetailRow>
      </dl>
      <p className="-mx-5 flex flex-wrap gap-x-4 gap-y-2 border-t border-line-soft px-5 pb-1 pt-2.5">
        {links.map(({ label, to }) => (
          <Link key={to} to={to} className="link hit text-sm">
            {label}
          </Link>
        ))}
        <Link to={`/history/client/${id}`} className="link hit text-sm">
          History
        </Link>
      </p>
    </section>
  )
}

function DetailRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children || '–'}</dd>
    </div>
  )
}

type NotesFields = Record<'goals' | 'notes' | 'futureGoals' | 'frustrations' | 'fears' | 'failures', string | null>

export function ClientNotes({
  goals,
  notes,
  futureGoals,
  frustrations,
  fears,
  failures,
  lastEdited,
}: NotesFields & { lastEdited: string }) {
  return (
    <>
      <section className="card px-5 pb-5 pt-4" aria-labelledby="goals">
        <h2 id="goals" className="h2 mb-1.5">
          {clientFields.goals.label}
        </h2>
        <RichTextOrEmpty
          text={goals}
          className="!text-[1.1875rem] !leading-7"
          empty="What does your client want to change? Add their goals."
        />
      </section>
      <section className="card px-5 pb-5 pt-4" aria-labelledby="notes">
        <div className="mb-2 flex items-center justify-between gap-3">
          <h2 id="notes" className="h2">
            {clientFields.notes.label}
          </h2>
          {notes && <span className="shrink-0 text-sm text-ink-3">Edited {lastEdited}</span>}
        </div>
        <RichTextOrEmpty text={notes} empty="No notes yet." />
      </section>
      <section className="card overflow-hidden" aria-labelledby="four">
        <h2 id="four" className="h2 px-5 py-3.5">
          4Fs Assessment Framework
        </h2>
        <div className="grid gap-px border-t border-line-soft bg-line-soft sm:grid-cols-2">
          <FourFsPanel title={clientFields.futureGoals.label} icon={Sunrise} text={futureGoals} />
          <FourFsPanel title={clientFields.frustrations.label} icon={CloudLightning} text={frustrations} />
          <FourFsPanel title={clientFields.fears.label} icon={ShieldAlert} text={fears} />
          <FourFsPanel title={clientFields.failures.label} icon={History} text={failures} />
        </div>
      </section>
    </>
  )
}

function FourFsPanel({ title, icon: Icon, text }: { title: string; icon: IconComponent; text: string | null }) {
  return (
    <div className="min-w-0 bg-surface p-5">
      <h3 className="mb-1.5 flex items-center gap-2 text-sm font-semibold text-ink-2">
        <Icon className="i !size-3.5 text-ink-3" />
        {title}
      </h3>
      <RichTextOrEmpty text={text} empty="–" />
    </div>
  )
}

function RichTextOrEmpty({ text, empty, className = '' }: { text: string | null; empty: string; className?: string }) {
  return text ? (
    <RichText source={text} className={`max-w-prose ${className}`} />
  ) : (
    <p className="text-ink-3">{empty}</p>
  )
}
