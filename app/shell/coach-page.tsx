import type { PublicLink } from '#modules/core/manifest.ts'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PoweredBy } from './powered-by.tsx'

/** The public home page of a coach's own host. */
export function CoachPage({ bio, links }: { bio: string | null; links: PublicLink[] }) {
  const brand = useBrand()
  if (!brand) return null
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      <header className="mx-auto flex w-full max-w-[72rem] items-center gap-3 px-5 py-5 sm:px-10">
        <span className="flex min-w-0 flex-1 items-center gap-3">
          <BrandLockup brand={brand} large />
        </span>
        <Link className={`btn ${links.length ? 'btn-ghost' : 'btn-secondary'}`} to="/auth">
          Sign In
        </Link>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className={`mx-auto grid w-full max-w-[72rem] flex-1 content-center items-end gap-x-14 gap-y-6 px-5 pb-28 pt-10
          outline-none sm:px-10 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]`}
      >
        <h1 className="font-serif text-4xl text-balance wrap-anywhere sm:text-6xl">{brand.name}</h1>
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
