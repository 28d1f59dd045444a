import {
  Calendar,
  Circle,
  CreditCard,
  Folder,
  House,
  NotebookPen,
  Package,
  Palette,
  Settings,
  Shield,
  Sparkles,
  SquareKanban,
  Users,
} from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'

/** The icons that navigation items name. */
const icons: Record<string, Icon> = {
  calendar: Calendar,
  'credit-card': CreditCard,
  folder: Folder,
  house: House,
  'notebook-pen': NotebookPen,
  package: Package,
  palette: Palette,
  settings: Settings,
  shield: Shield,
  sparkles: Sparkles,
  'square-kanban': SquareKanban,
  users: Users,
}

export function iconOf(name: string): Icon {
  return icons[name] ?? Circle
}
