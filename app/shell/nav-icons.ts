import {
  Calendar,
  CalendarPlus,
  ChartLine,
  Circle,
  ClipboardList,
  CreditCard,
  DoorOpen,
  Folder,
  House,
  ListChecks,
  MessagesSquare,
  NotebookPen,
  Package,
  Palette,
  Settings,
  Shield,
  ShoppingBag,
  Sparkles,
  SquareKanban,
  Trash2,
  UserPlus,
  UserRoundPlus,
  Users,
} from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'

/** Icons by the names that navigation items and quick actions use. */
const icons: Record<string, Icon> = {
  calendar: Calendar,
  'calendar-plus': CalendarPlus,
  'chart-line': ChartLine,
  'clipboard-list': ClipboardList,
  'credit-card': CreditCard,
  'door-open': DoorOpen,
  folder: Folder,
  house: House,
  'list-checks': ListChecks,
  messages: MessagesSquare,
  'notebook-pen': NotebookPen,
  package: Package,
  palette: Palette,
  settings: Settings,
  shield: Shield,
  'shopping-bag': ShoppingBag,
  sparkles: Sparkles,
  'square-kanban': SquareKanban,
  trash: Trash2,
  'user-plus': UserPlus,
  'user-round-plus': UserRoundPlus,
  users: Users,
}

export function navIcon(name: string): Icon {
  return icons[name] ?? Circle
}
