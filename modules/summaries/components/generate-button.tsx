import { Form, useNavigation } from '@remix-run/react'
import { Sparkles } from 'lucide-react'
import { Button, IconButton } from '#app/ui/components/button.tsx'

/** Starts to make a session's summary. `iconOnly`: its name is for screen readers. */
export function GenerateButton({ id, title, iconOnly = false }: { id: number; title: string; iconOnly?: boolean }) {
  const { formData } = useNavigation()
  const busy = formData?.get('intent') === 'generate' && formData.get('id') === String(id)
  return (
    <Form method="post" action="/session-summaries" preventScrollReset>
      <input type="hidden" name="intent" value="generate" />
      <input type="hidden" name="id" value={id} />
      {iconOnly ? (
        <IconButton
          type="submit"
          size="sm"
          icon={Sparkles}
          label={`Generate Summary for ${title}`}
          title="Generate Summary"
        />
      ) : (
        <Button type="submit" size="sm" icon={Sparkles} busy={busy}>
          Generate Summary<span className="sr-only"> for {title}</span>
        </Button>
      )}
    </Form>
  )
}
