import { ArrowLeft, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Progress } from '#app/ui/components/progress.tsx'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { UnsavedChangesGuard } from '#app/ui/forms/unsaved-changes.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { countDone, requiredSteps, stepNumbers, steps, type StepNumber } from './steps.ts'

/** The frame of the onboarding and of its demo: header, progress, one step, its buttons, and the preview beside it. */
export function Wizard({
  step,
  done,
  notice,
  preview,
  buttons,
  renderStepLink,
  children,
}: {
  step: StepNumber
  done: boolean[]
  notice?: ReactNode
  preview: ReactNode
  buttons: ReactNode
  /** Makes the name of another step lead there. */
  renderStepLink: (step: StepNumber, name: ReactNode) => ReactNode
  children: ReactNode
}) {
  const brand = useBrand()
  const { title, text } = steps[step - 1]!
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1.02fr)]">
      <UnsavedChangesGuard />
      <div className="flex min-h-dvh flex-col bg-surface">
        <header className="px-6 pt-6 sm:px-12">
          <div className="mx-auto flex max-w-[35rem] items-center gap-3">
            <span className="flex min-w-0 flex-1 items-center gap-2.5">{brand && <BrandLockup brand={brand} />}</span>
            <Link className="link text-sm" to="/dashboard">
              Skip setup<span className="max-sm:sr-only">, go to the dashboard</span>
            </Link>
          </div>
        </header>
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          <div className="mx-auto w-full max-w-[38rem] flex-1 px-6 pb-8 pt-10 sm:px-6">
            {notice}
            <StepList step={step} done={done} renderStepLink={renderStepLink} />
            <h1 className="title">{title}</h1>
            <p className="mt-1 text-md text-ink-3">{text}</p>
            <div className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
            {step === 4 && <div className="mt-8 lg:hidden">{preview}</div>}
          </div>
          <div className="button-bar sticky bottom-0 border-t border-line bg-surface px-6 py-4 sm:px-12">
            <div className="mx-auto flex max-w-[35rem] flex-wrap items-center justify-end gap-2">{buttons}</div>
          </div>
        </main>
      </div>
      <div className="hidden border-l border-line bg-sunken lg:block">
        <div className="sticky top-0 flex min-h-dvh flex-col justify-center px-6 py-8 xl:px-14">{preview}</div>
      </div>
    </div>
  )
}

function StepList({
  step: current,
  done,
  renderStepLink,
}: {
  step: StepNumber
  done: boolean[]
  renderStepLink: (step: StepNumber, name: ReactNode) => ReactNode
}) {
  const count = countDone(done)
  return (
    <nav aria-label="Steps" className="mb-8">
      <Progress value={(count / steps.length) * 100} label={`${count} of ${steps.length} steps completed`} />
      <ol className="mt-3 max-sm:mt-1 grid grid-cols-4 gap-3">
        {stepNumbers.map((step) => {
          const isCurrent = step === current
          const isDone = done[step - 1] ?? false
          return (
            <li
              key={step}
              aria-current={isCurrent ? 'step' : undefined}
              className={`min-w-0 text-xs leading-4 ${isCurrent ? 'font-semibold text-ink' : 'text-ink-3'}`}
            >
              {isCurrent ? (
                <StepName step={step} isDone={isDone} />
              ) : (
                renderStepLink(step, <StepName step={step} isDone={isDone} />)
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** On phones only the number. */
function StepName({ step, isDone }: { step: StepNumber; isDone: boolean }) {
  return (
    <span className="flex flex-col gap-1 max-sm:min-h-11 max-sm:justify-center">
      {isDone ? (
        <span className="flex items-center gap-1 text-success-text">
          <Check className="i !size-3.5" />
          Done
        </span>
      ) : (
        <span>
          Step {step}
          <span className="max-sm:sr-only"> of {steps.length}</span>
        </span>
      )}
      <span className="max-sm:sr-only">{steps[step - 1]!.title}</span>
    </span>
  )
}

/** On phones only the arrow. */
export function PreviousLabel() {
  return (
    <>
      <ArrowLeft className="i" />
      <span className="max-sm:sr-only">Previous</span>
    </>
  )
}

export const previousClass = 'btn btn-ghost mr-auto -ml-3 max-sm:!w-11 max-sm:!px-0'

/** On phones only the first word. */
export function FinishLabel() {
  return (
    <span>
      Finish<span className="max-sm:sr-only"> and Go to Dashboard</span>
    </span>
  )
}

/** Why the final button is disabled. */
export const finishHint = `Complete at least ${requiredSteps} of the ${steps.length} steps to finish.`
