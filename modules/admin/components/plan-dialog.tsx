import { Form, useNavigation } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'

type PlanName = 'free' | 'pro' | 'premium'
const titles: Record<PlanName, string> = { free: 'Free', pro: 'Pro', premium: 'Premium' }

/** Part-2 §4: upgrading moves free to pro and any other plan to premium; a downgrade is a choice like any other. */
export function PlanDialog({
  coach,
  closeTo,
}: {
  coach: { id: number; name: string; plan: PlanName; onTrial: boolean }
  closeTo: string
}) {
  const next = coach.plan === 'free' ? 'pro' : 'premium'
  const busy = useNavigation().formData?.get('intent') === 'plan'
  return (
    <Dialog title="Upgrade Plan" closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">
          {coach.name} is on {titles[coach.plan]}
          {coach.onTrial && ' for a trial, which ends with this change'}. A smaller plan deletes nothing: what is over
          its limit stays readable.
        </p>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="plan" />
          <input type="hidden" name="coach" value={coach.id} />
          <fieldset className="mt-4 grid gap-2">
            <legend className="label mb-1">New plan</legend>
            {(['free', 'pro', 'premium'] as const).map((name) => (
              <label key={name} className="flex min-h-8 items-center gap-2.5">
                <input
                  type="radio"
                  name="status"
                  value={name}
                  defaultChecked={name === next}
                  className="size-4 accent-[var(--brand-edge)]"
                />
                {titles[name]}
              </label>
            ))}
          </fieldset>
          <DialogSubmit busy={busy}>Save Plan</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
