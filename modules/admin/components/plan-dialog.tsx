import { Form, useNavigation } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { planNames, planTitles } from '../fields.ts'

/** Preselects the upgrade of part-2 §4: free to pro, any other plan to premium. */
export function PlanDialog({
  coach,
  closeTo,
}: {
  coach: { id: number; name: string; plan: PlanName; onTrial: boolean }
  closeTo: string
}) {
  const upgrade = coach.plan === 'free' ? 'pro' : 'premium'
  const busy = useNavigation().formData?.get('intent') === 'plan'
  return (
    <Dialog title="Change Plan" closeTo={closeTo}>
      <DialogBody>
        <p className="wrap-anywhere text-ink-2">
          {coach.name} is on {planTitles[coach.plan]}
          {coach.onTrial && ' for a trial, which ends with this change'}. Downgrading never deletes data.
        </p>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="plan" />
          <input type="hidden" name="id" value={coach.id} />
          <input type="hidden" name="seen" value={coach.plan} />
          <fieldset className="mt-4 grid gap-2">
            <legend className="label mb-1">New plan</legend>
            {planNames.map((name) => (
              <label key={name} className="flex min-h-8 items-center gap-2.5">
                <input
                  type="radio"
                  name="status"
                  value={name}
                  defaultChecked={name === upgrade}
                  className="size-4 accent-[var(--brand-edge)]"
                />
                {planTitles[name]}
              </label>
            ))}
          </fieldset>
          <DialogSubmit busy={busy}>Save Plan</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
