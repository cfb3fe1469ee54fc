/** The agenda's entry that a cluster's relay keeps in the future while it lives: one that is due is a silent relay. */
export const relayAgenda = "relay";
