import { Form, useNavigation } from '@remix-run/react'
import { Circle, CircleCheck } from 'lucide-react'
import { IconButton } from '#app/ui/components/button.tsx'

/** Completes a task, or reopens it. On any page: the page of tasks has the action, and leads back. */
export function CompleteButton({ id, title, isDone = false }: { id: number; title: string; isDone?: boolean }) {
  const { formData } = useNavigation()
  const intent = isDone ? 'reopen' : 'complete'
  const busy = formData?.get('intent') === intent && formData.get('id') === String(id)
  return (
    <Form method="post" action="/tasks" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <IconButton
        type="submit"
        size="sm"
        icon={isDone !== busy ? CircleCheck : Circle}
        label={`${isDone ? 'Reopen' : 'Complete'} ${title}`}
        title={isDone ? 'Reopen' : 'Complete'}
      />
    </Form>
  )
}
