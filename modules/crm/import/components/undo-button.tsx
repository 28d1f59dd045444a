import { Form, useNavigation } from '@remix-run/react'
import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#app/ui/components/button.tsx'

/** Undoes an import. `label`: for screen readers, where the text isn't enough. */
export function UndoButton({ id, label, children }: { id: number; label?: string; children: ReactNode }) {
  const sent = useNavigation().formData
  const busy = sent?.get('intent') === 'undo' && sent.get('id') === String(id)
  return (
    <Form method="post" action="/clients/import">
      <input type="hidden" name="intent" value="undo" />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" icon={Undo2} busy={busy} aria-label={label}>
        {children}
      </Button>
    </Form>
  )
}
