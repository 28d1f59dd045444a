import { ArrowRight, CalendarPlus, ShoppingBag } from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'

const icons: Record<string, Icon> = { 'calendar-plus': CalendarPlus, 'shopping-bag': ShoppingBag }

export function linkIcon(name: string): Icon {
  return icons[name] ?? ArrowRight
}
