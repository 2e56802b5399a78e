int neighbour_CSQLite(void);
