import { Form, useNavigation } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import type { messages } from '../action-messages.ts'
import { settingsPage } from '../connect-result.ts'

type Props = { intent: keyof typeof messages; label: string; busyLabel?: string; isDanger?: boolean }

/** A form without input. */
export function ActionButton({ intent, label, busyLabel, isDanger = false }: Props) {
  const { formData } = useNavigation()
  return (
    <Form method="post" action={settingsPage} preventScrollReset>
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
