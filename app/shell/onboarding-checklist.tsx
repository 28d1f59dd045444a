import { Form } from '@remix-run/react'
import { Check } from 'lucide-react'
import { Link } from '#app/ui/navigation/link.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import type { OnboardingStep } from '#modules/core/manifest.ts'

/** The dashboard's checklist for new coaches. The first open step is the primary one. */
export function OnboardingChecklist({ steps }: { steps: OnboardingStep[] }) {
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)
  return (
    <section className="card" aria-labelledby="first-steps">
      <div className="card-head flex-wrap !gap-y-0">
        <h2 id="first-steps" className="h2 flex-1">
          First steps
        </h2>
        <span className="num text-sm text-ink-3">
          {done} of {steps.length}
        </span>
        <Progress
          value={(done / steps.length) * 100}
          label={`${done} of ${steps.length} done`}
          className="w-24 max-sm:hidden"
        />
        <Link className="btn btn-ghost btn-sm" to="/onboarding">
          Guided Setup
        </Link>
        <Form method="post" action="/dashboard" preventScrollReset>
          <button type="submit" name="intent" value="hideChecklist" className="btn btn-ghost btn-sm">
            Hide
          </button>
        </Form>
      </div>
      <ol className="rows border-t border-line-soft">
        {steps.map((step, index) => (
          <li
            key={step.title}
            className={`grid grid-cols-[1.75rem_minmax(0,1fr)] items-start gap-x-3 gap-y-2 px-5 py-2.5
              sm:grid-cols-[1.75rem_minmax(0,1fr)_auto] sm:items-center`}
          >
            {step.done ? (
              <span className="grid size-7 place-items-center rounded-full bg-success-soft text-success-text">
                <Check className="i size-3.5" />
              </span>
            ) : (
              <span
                className={`num grid size-7 place-items-center rounded-full text-sm font-semibold text-ink-2
                  shadow-[inset_0_0_0_1.5px_var(--line-mid)]`}
              >
                {index + 1}
              </span>
            )}
            <div>
              <div className={`font-semibold ${step.done ? 'text-ink-3' : ''}`}>{step.title}</div>
              <p className="text-sm text-ink-3">{step.text}</p>
            </div>
            <div className="max-sm:col-start-2">
              {step.done ? (
                <span className="text-sm text-ink-3">Done</span>
              ) : (
                <Link to={step.to} className={`btn btn-sm ${step === next ? 'btn-primary' : 'btn-secondary'}`}>
                  {step.buttonLabel}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
