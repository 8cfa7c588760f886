"""What pictures share, on paper and on screens: colours, and people in the plane."""
