import { matchQuality } from '#app/lib/search-ranking.ts'
import { getPlanPageName, type ShellData } from './shell-data.ts'

/** A link that the command palette offers beside the search results. */
export type SearchCommand = { label: string; to: string; icon: string }

/** The dashboard's quick actions, then the pages of the sidebar and those that the settings link to. */
export function toCommands({
  quickActions,
  main,
  lower,
  usage,
}: Pick<ShellData, 'quickActions' | 'main' | 'lower' | 'usage'>): SearchCommand[] {
  const pages = [
    ...main,
    ...lower,
    { label: 'Account', to: '/settings/account', icon: 'settings' },
    { label: 'Security', to: '/security', icon: 'settings' },
    { label: getPlanPageName(usage.limit), to: '/upgrade', icon: 'sparkles' },
  ]
  return [
    ...quickActions,
    ...pages
      .filter((page) => !quickActions.some(({ to }) => to === page.to))
      .map(({ label, to, icon }) => ({ label: `Go to ${label}`, to, icon })),
  ]
}

/** The commands with a word that starts with `term`, best first; all of them for an empty term. */
export function filterCommands(commands: SearchCommand[], term: string): SearchCommand[] {
  const trimmed = term.trim()
  if (!trimmed) return commands
  return commands
    .map((command) => ({ command, quality: matchQuality(command.label, trimmed) }))
    .filter(({ quality }) => quality === 'start' || quality === 'word')
    .sort((a, b) => (a.quality === b.quality ? 0 : a.quality === 'start' ? -1 : 1))
    .map(({ command }) => command)
}
