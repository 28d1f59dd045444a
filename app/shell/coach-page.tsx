import { Signature, useIdentity } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PoweredBy } from './powered-by.tsx'

/** What anybody sees on a coach's own host: who this is, in their words, colour and name. */
export function CoachPage({ bio }: { bio: string | null }) {
  const identity = useIdentity()
  if (!identity) return null
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      <header className="mx-auto flex w-full max-w-[72rem] items-center gap-3 px-5 py-5 sm:px-10">
        <span className="flex min-w-0 flex-1 items-center gap-3">
          <Signature identity={identity} large />
        </span>
        <Link className="btn btn-secondary" to="/auth">
          Sign In
        </Link>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid w-full max-w-[72rem] flex-1 content-center items-end gap-x-14 gap-y-6 px-5 pb-28 pt-10 outline-none sm:px-10 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]"
      >
        <h1 className="font-serif text-4xl text-balance wrap-anywhere sm:text-6xl">{identity.name}</h1>
        {bio && <p className="words whitespace-pre-line text-ink-2 wrap-anywhere">{bio}</p>}
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex w-full max-w-[72rem] flex-wrap justify-between gap-3 px-5 py-6 text-sm text-ink-3 sm:px-10">
          <span>{identity.name}</span>
          <PoweredBy />
        </div>
      </footer>
    </div>
  )
}
