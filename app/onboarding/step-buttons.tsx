import { Form, useActionData, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { FormFailure } from '#app/lib/form-submission.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { previousClass, PreviousLabel } from './wizard.tsx'
import type { StepNumber } from './steps.ts'

export const stepPath = (step: StepNumber): string => `/onboarding?step=${step}`

export const renderStepLink = (step: StepNumber, name: ReactNode) => (
  <Link className="block hover:underline" to={stepPath(step)} preventScrollReset>
    {name}
  </Link>
)

/** A button in a form of its own, so that it leads to another step without scripts, too. */
export function StepButton({ to, className, children }: { to: StepNumber; className: string; children: ReactNode }) {
  return (
    <Form method="get" action="/onboarding" className="contents">
      <button type="submit" name="step" value={to} className={className}>
        {children}
      </button>
    </Form>
  )
}

export const PreviousButton = ({ step }: { step: StepNumber }) => (
  <StepButton to={(step - 1) as StepNumber} className={previousClass}>
    <PreviousLabel />
  </StepButton>
)

/** The intent of the form that is being sent. */
export function useIntent(): string {
  return String(useNavigation().formData?.get('intent') ?? '')
}

/** The intent whose failure is shown: two buttons send the same form. */
export function useFailedIntent(fallback: string): string {
  const sent = useActionData<Partial<FormFailure>>()?.result?.initialValue?.intent
  return typeof sent === 'string' ? sent : fallback
}
