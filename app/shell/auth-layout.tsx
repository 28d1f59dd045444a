import type { ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ExampleTask } from '../marketing/landing-mockups.tsx'
import { PoweredBy } from './powered-by.tsx'
import { Waveform } from '../marketing/waveform.tsx'

/** The layout of sign-in, registration and password reset: the form, and beside it the product or the coach's name. */
export function AuthLayout({
  title,
  description,
  children,
}: {
  title: string
  description: ReactNode
  children: ReactNode
}) {
  const brand = useBrand()
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex min-h-dvh flex-col bg-surface px-6 sm:px-12">
        <header className="py-6">
          {brand && (
            <Link to="/" className="-m-1 inline-flex max-w-full items-center gap-2.5 rounded-md p-1">
              <BrandLockup brand={brand} />
            </Link>
          )}
        </header>
        <main id="main" tabIndex={-1} className="m-auto w-full max-w-[23rem] pb-20 pt-6 outline-none">
          <h1 className="title">{title}</h1>
          <p className="mb-6 mt-1 text-md text-ink-3">{description}</p>
          {children}
        </main>
        <footer className="pb-6 text-sm text-ink-3 empty:hidden">
          <PoweredBy />
        </footer>
      </div>
      <aside aria-label={brand?.ownHost ? brand.name : 'About the product'} className={asideClass}>
        {brand?.ownHost ? (
          <p className="max-w-[30rem] font-serif text-4xl text-balance wrap-anywhere">{brand.name}</p>
        ) : (
          <ProductExample />
        )}
      </aside>
    </div>
  )
}

const asideClass =
  'relative hidden overflow-hidden border-l border-line bg-canvas lg:flex lg:flex-col lg:justify-center lg:px-[4.5rem]'

function ProductExample() {
  return (
    <>
      <p className="max-w-[30rem] font-serif text-4xl text-balance">You listen. The notes write themselves.</p>
      <div role="img" aria-label="A recording of 54 minutes, and its summary with two action items">
        <div className="mt-9 flex max-w-[29rem] items-center gap-4">
          <Waveform bars={64} className="h-9 flex-1" />
          <span className="num text-sm text-ink-3">54:12</span>
        </div>
        <div className="mt-6 max-w-[29rem] rounded-xl border border-line bg-raised p-6">
          <div className="mb-3 flex items-center gap-3">
            <Avatar name="Priya Raghunathan" />
            <span className="flex-1">
              <span className="block font-semibold">Career transition, session 5</span>
              <span className="block text-sm text-ink-3">Priya Raghunathan, March 3</span>
            </span>
            <Badge tone="success">Summary Complete</Badge>
          </div>
          <p className="prose-serif">She is deciding whether she may want the job she has already chosen.</p>
          <ul className="mt-4 grid gap-2 border-t border-line-soft pt-4">
            <ExampleTask done>Draft the resignation letter, do not send it</ExampleTask>
            <ExampleTask>Ask Dana for the honest reference</ExampleTask>
          </ul>
        </div>
      </div>
    </>
  )
}
