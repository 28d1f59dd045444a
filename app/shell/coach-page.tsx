import { Avatar } from '#app/ui/components/avatar.tsx'
import type { HomeOffer, HomeOffers, PublicLink } from '#modules/core/manifest.ts'
import { Slot } from '#modules/core/slot.tsx'
import type { SlotResult } from '#modules/core/slots.ts'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { AccountLink } from './account-link.ts'
import { PoweredBy } from './powered-by.tsx'

/** The public home page of a coach's own host. */
export function CoachPage({
  bio,
  person,
  isOwner,
  accountLink,
  links,
  sections,
  filled,
}: {
  bio: string | null
  person: { name: string; photoUrl: string | null } | null
  /** The signed-in coach looks at their own page. */
  isOwner: boolean
  accountLink: AccountLink
  links: PublicLink[]
  sections: HomeOffers[]
  /** The sections of modules below the offers. */
  filled: SlotResult[]
}) {
  const brand = useBrand()
  if (!brand) return null
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      {isOwner && (
        <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line px-5 py-2 text-ink-2">
          You see this page as visitors do.
          <Link className="link hit" to="/dashboard">
            Back to the Dashboard
          </Link>
        </p>
      )}
      <header className="mx-auto flex w-full max-w-[72rem] items-center gap-3 px-5 py-5 sm:px-10">
        <span className="flex min-w-0 flex-1 items-center gap-3">
          <BrandLockup brand={brand} large />
        </span>
        <Link className={`btn ${links.length ? 'btn-ghost' : 'btn-secondary'}`} to={accountLink.to}>
          {accountLink.label}
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[72rem] flex-1 px-5 pb-20 outline-none sm:px-10">
        <div className="grid items-end gap-x-14 gap-y-6 pb-16 pt-10 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:pt-20">
          <div className="grid gap-5">
            <h1 className="font-serif text-4xl text-balance wrap-anywhere sm:text-6xl">{brand.name}</h1>
            {person && (
              <p className="flex min-w-0 items-center gap-4 text-lg text-ink-2">
                <Avatar name={person.name} image={person.photoUrl} size="xl" />
                <span className="min-w-0 wrap-anywhere">{person.name}</span>
              </p>
            )}
          </div>
          {bio && <p className="prose-serif whitespace-pre-line text-ink-2 wrap-anywhere">{bio}</p>}
          {links.length > 0 && (
            <p className="flex flex-wrap gap-2">
              {links.map(({ label, to }) => (
                <Link key={to} className="btn btn-primary btn-lg" to={to} reloadDocument>
                  {label}
                </Link>
              ))}
            </p>
          )}
        </div>
        {sections.map((section) => (
          <Offers key={section.title} {...section} />
        ))}
        {/* Browsers never render this page: the landing page, which shares its code, loads no widgets. */}
        {import.meta.env.SSR && <Slot filled={filled} />}
      </main>
      <footer className="border-t border-line">
        <div
          className={`mx-auto flex w-full max-w-[72rem] flex-wrap justify-between gap-3 px-5 py-6 text-sm text-ink-3
            sm:px-10`}
        >
          <span>{brand.name}</span>
          <PoweredBy />
        </div>
      </footer>
    </div>
  )
}

function Offers({ title, offers, more }: HomeOffers) {
  return (
    <section aria-label={title} className="border-t border-line py-10">
      <h2 className="font-serif text-3xl">{title}</h2>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {offers.map((offer) => (
          <Offer key={offer.to} {...offer} />
        ))}
      </ul>
      {more && (
        <p className="mt-6">
          <Link className="link hit" to={more.to} reloadDocument>
            {more.label}
          </Link>
        </p>
      )}
    </section>
  )
}

function Offer({ name, description, details, price, to, buttonLabel }: HomeOffer) {
  return (
    <li className="flex min-w-0 flex-col gap-1 rounded-2xl border border-line p-5">
      <h3 className="text-lg font-semibold wrap-anywhere">{name}</h3>
      {details && <p className="text-ink-3 wrap-anywhere">{details}</p>}
      {description && <p className="mt-1 line-clamp-4 whitespace-pre-line text-ink-2 wrap-anywhere">{description}</p>}
      <div className="mt-auto flex items-center justify-between gap-3 pt-4">
        <span className="num min-w-0 font-semibold wrap-anywhere">{price?.text}</span>
        <Link className="btn btn-secondary shrink-0" to={to} reloadDocument aria-label={`${buttonLabel}: ${name}`}>
          {buttonLabel}
        </Link>
      </div>
    </li>
  )
}
