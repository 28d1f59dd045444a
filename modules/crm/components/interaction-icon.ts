import { Mail, MessageSquare, Phone, Video } from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'

const icons: [title: RegExp, icon: Icon][] = [
  [/\b(call|phone)/i, Phone],
  [/\be-?mail|\bletter/i, Mail],
  [/\b(session|video|zoom|meeting)/i, Video],
]

/** The icon of an interaction, by its title. */
export function interactionIcon(title: string): Icon {
  return icons.find(([pattern]) => pattern.test(title))?.[1] ?? MessageSquare
}
