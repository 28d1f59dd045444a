import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { steps } from './steps.ts'

/** Shows visitors without an account what the onboarding is about. */
export function OnboardingWelcome() {
  const brand = useBrand()
  return (
    <div className="flex min-h-dvh flex-col bg-surface px-6 sm:px-12">
      <header className="mx-auto flex w-full max-w-[35rem] items-center gap-3 py-6">
        {brand && (
          <Link to="/" className="-m-1 inline-flex min-w-0 items-center gap-2.5 rounded-md p-1">
            <BrandLockup brand={brand} />
          </Link>
        )}
      </header>
      <main id="main" tabIndex={-1} className="m-auto w-full max-w-[35rem] pb-20 outline-none">
        <h1 className="title">Set up your practice</h1>
        <p className="mt-1 text-md text-ink-3">Four short steps. You can leave any of them for later.</p>
        <ol className="rows mt-6 border-y border-line-soft">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 py-3">
              <span className="num font-semibold text-ink-3">{index + 1}</span>
              <span>
                <span className="block font-semibold">{title}</span>
                <span className="block text-sm text-ink-3">{text}</span>
              </span>
            </li>
          ))}
        </ol>
        <div className="mt-6 flex flex-wrap gap-2">
          <Link className="btn btn-primary" to="/auth?tab=register&next=/onboarding">
            Create Account
          </Link>
          <Link className="btn btn-secondary" to="/auth?next=/onboarding">
            Sign In
          </Link>
          <Link className="btn btn-ghost" to="/demo">
            Try the Demo
          </Link>
        </div>
      </main>
    </div>
  )
}
