import {
  Calendar,
  CalendarPlus,
  ChartLine,
  Circle,
  Clipboard,
  CreditCard,
  Folder,
  Globe,
  House,
  ListChecks,
  Mail,
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
  Zap,
} from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'

/** Icons by the names that navigation items and quick actions use. */
const icons: Record<string, Icon> = {
  calendar: Calendar,
  'calendar-plus': CalendarPlus,
  'chart-line': ChartLine,
  'clipboard-list': Clipboard,
  'credit-card': CreditCard,
  folder: Folder,
  globe: Globe,
  house: House,
  'list-checks': ListChecks,
  messages: Mail,
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
  zap: Zap,
}

export function navIcon(name: string): Icon {
  return icons[name] ?? Circle
}
