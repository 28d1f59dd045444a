import { Form, useNavigation } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'

type Props = { action: string; intent: string; label: string; busyLabel?: string; isDanger?: boolean }

/** A form without input. `action`: the page that has its intent. */
export function ActionButton({ action, intent, label, busyLabel, isDanger = false }: Props) {
  const { formData } = useNavigation()
  return (
    <Form method="post" action={action} preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <Button
        type="submit"
        variant={isDanger ? 'danger-ghost' : 'secondary'}
        busy={formData?.get('intent') === intent}
        {...(busyLabel ? { busyLabel } : {})}
      >
        {label}
      </Button>
    </Form>
  )
}
